# Serves the client API: perl server.pl --port N [--fault ID] [--write-env FILE]
#
# One process serves all connections in turn. It keeps them open, compresses what may be compressed, and writes header
# names in upper case.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Api ();
use Compress::Zlib qw(memGzip);
use Getopt::Long qw(GetOptions);
use Identity ();
use IO::Select;
use IO::Socket::INET;

my $LARGEST_REQUEST = 1 << 20;
my $CHUNK = 5;
$SIG{PIPE} = 'IGNORE';
$| = 1;

GetOptions('port=i' => \(my $port = 0), 'fault=s' => \(my $fault = ''), 'write-env=s' => \my $env_file)
  or die "usage: perl server.pl --port N [--fault ID] [--write-env FILE]\n";
Api::start($fault);
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 128, ReuseAddr => 1)
  or die "cannot listen on port $port: $!\n";
my $base_url = 'http://127.0.0.1:' . $listener->sockport;
Identity::write_environment($env_file, $base_url) if defined $env_file;
print "ready $base_url\n";

my $select = IO::Select->new($listener);
# What came of the next request on each connection.
my %unread;
while (1) {
  for my $socket ($select->can_read) {
    if ($socket == $listener) {
      my $client = $listener->accept or next;
      $select->add($client);
      $unread{$client} = '';
      next;
    }
    my $count = sysread $socket, $unread{$socket}, 65_536, length $unread{$socket};
    close_connection($socket) if !$count || !serve($socket);
  }
}

sub close_connection {
  my ($socket) = @_;
  $select->remove($socket);
  delete $unread{$socket};
  close $socket;
  return;
}

# Answers every whole request that has come. Returns false if the connection should end.
sub serve {
  my ($socket) = @_;
  while (1) {
    my ($request, $length) = eval { parse($unread{$socket}, $socket) };
    if ($@) {
      write_answer($socket, { method => 'POST', headers => {} }, { status => 400, type => 'text/plain', body => "bad request\n" });
      return 0;
    }
    return length $unread{$socket} <= $LARGEST_REQUEST if !$request;
    substr $unread{$socket}, 0, $length, '';
    write_answer($socket, $request, Api::answer($request));
    return 0 if lc($request->{headers}{connection} // '') eq 'close';
  }
}

# Reads one request. Returns it with its length in bytes, or nothing if it is not complete. Dies if it is none.
sub parse {
  my ($bytes, $socket) = @_;
  my $end = index $bytes, "\r\n\r\n";
  return if $end < 0;
  my ($first, @lines) = split /\r\n/, substr $bytes, 0, $end;
  my ($method, $target) = $first =~ m{^([!-~]+) ([!-~]+) HTTP/1\.[01]$} or die 'no request line';
  my %headers;
  for my $line (@lines) {
    my ($name, $value) = $line =~ /^([!-9;-~]+):[ \t]*(.*?)[ \t]*$/s or die 'no header';
    $name = lc $name;
    # Lines of the same name are one list (RFC 9110 5.3).
    $headers{$name} = exists $headers{$name} ? "$headers{$name}, $value" : $value;
  }
  syswrite $socket, "HTTP/1.1 100 Continue\r\n\r\n" if $headers{expect} && $end + 4 == length $bytes;
  my ($body, $length) = body($bytes, $end + 4, \%headers);
  return if !defined $body;
  my ($path, $query_string) = split /\?/, $target, 2;
  return (
    { method => $method, path => $path, query_string => $query_string // '', headers => \%headers, body => $body },
    $length
  );
}

# The body that starts at a position, and where it ends. Nothing if it is not complete.
sub body {
  my ($bytes, $start, $headers) = @_;
  if (lc($headers->{'transfer-encoding'} // '') ne 'chunked') {
    my $size = $headers->{'content-length'} // 0;
    die 'no length' if $size !~ /^\d{1,9}$/;
    return if length $bytes < $start + $size;
    return (substr($bytes, $start, $size), $start + $size);
  }
  my $body = '';
  pos($bytes) = $start;
  while ($bytes =~ /\G([0-9A-Fa-f]{1,6})[^\r\n]*\r\n/gc) {
    my $size = hex $1;
    my $at = pos $bytes;
    if ($size == 0) {
      return $bytes =~ /\G(?:[^\r\n]+\r\n)*\r\n/gc ? ($body, pos $bytes) : ();
    }
    return if length $bytes < $at + $size + 2;
    $body .= substr $bytes, $at, $size;
    pos($bytes) = $at + $size + 2;
  }
  return;
}

sub write_answer {
  my ($socket, $request, $answer) = @_;
  my $body = $answer->{body};
  my @headers = ("CONTENT-TYPE: $answer->{type}", 'CACHE-CONTROL: no-store', @{ $answer->{headers} // [] });
  if ($answer->{chunked}) {
    push @headers, 'TRANSFER-ENCODING: chunked';
    $body = join '', (map { sprintf "%x;odd=yes\r\n%s\r\n", length, $_ } unpack "(a$CHUNK)*", $body), "0\r\n\r\n";
  }
  else {
    if (($request->{headers}{'accept-encoding'} // '') =~ /\bgzip\b/) {
      $body = memGzip($body);
      push @headers, 'CONTENT-ENCODING: gzip';
    }
    push @headers, 'CONTENT-LENGTH: ' . length $body;
  }
  $body = '' if $request->{method} eq 'HEAD';
  my $bytes = join("\r\n", "HTTP/1.1 $answer->{status} Whatever", @headers, '', '') . $body;
  while (length $bytes) {
    my $written = syswrite $socket, $bytes or return;
    substr $bytes, 0, $written, '';
  }
  return;
}
