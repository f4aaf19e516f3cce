# People, their documents and their tokens. Everything random is drawn when the server starts.
package Identity;
use strict;
use warnings;
use utf8;
use Digest::SHA qw(hmac_sha256);
use JSON::PP;
use MIME::Base64 qw(encode_base64 encode_base64url);

my @SCOPES = qw(ACTIVITY AGENTS ANNOUNCEMENTS ANSWERS CHAT COLLECTIONS DOCPERMISSIONS DOCUMENTS ENTITIES FEEDBACK
  INSIGHTS MCP PEOPLE PINS SEARCH SHORTCUTS SUMMARIZE TOOLS VERIFICATION);
my @KINDS = qw(USER GLOBAL OAUTH GOOGLE AZURE OKTA ONELOGIN);
our %EXTERNAL = map { $_ => 1 } qw(GOOGLE AZURE OKTA ONELOGIN);
my %SIGNED = map { $_ => 1 } qw(OAUTH ONELOGIN);
my $DAY = 86_400;

our ($FIRST, $SECOND, $THIRD) = ('Ole.Nilsen+work@staff.example', q(k.o'hara@staff.example), 'third_person@staff.example');
our %PERSON_EXISTS = map { $_ => 1 } $FIRST, $SECOND, $THIRD;
my %QUERY = ($FIRST => 'køkken plan', $SECOND => 'garden budget', $THIRD => 'boat repair');
my %MARKER = ($FIRST => 'Smørbrød ' . random_hex(7), $SECOND => 'Blåbær ' . random_hex(7), $THIRD => 'Ål ' . random_hex(7));

# A document without an owner is for everybody.
our @DOCUMENTS = (
  (map { { title => "House rule $_", text => "Rule $_ of the house: close the door, water the plan(t)s.", owner => undef } } 1 .. 9),
  { title => 'Garden', text => 'The garden is open until eight.', owner => undef },
  (map { { title => "Notes on $QUERY{$_}", text => "$QUERY{$_}: $MARKER{$_}", owner => $_ } } $FIRST, $SECOND, $THIRD),
);

# The record of each token by its text.
my %ISSUED;

# Returns the record of a token, or nothing if nobody issued it.
sub read_token { my ($text) = @_; return $ISSUED{$text} }

sub random_hex {
  my ($bytes) = @_;
  return unpack 'H*', random_bytes($bytes);
}

sub random_bytes {
  my ($count) = @_;
  open my $source, '<:raw', '/dev/urandom' or die "cannot read random bytes: $!";
  read($source, my $bytes, $count) == $count or die 'too few random bytes';
  return $bytes;
}

# Writes the .env file that describes this server to the suite.
sub write_environment {
  my ($file, $base_url) = @_;
  my %tokens = issue_all();
  my @lines = (
    [TARGET_BASE_URL => $base_url],
    [CONFORMANCE_CLAIMS => 'user global oauth google azure okta onelogin scopes'],
    [USER_EMAIL => $FIRST],
    [ACT_AS_EMAIL => $SECOND],
    [OKTA_EMAIL => $THIRD],
    [USER_PRIVATE_QUERY => $QUERY{$FIRST}],
    [USER_PRIVATE_MARKER => $MARKER{$FIRST}],
    [ACT_AS_PRIVATE_QUERY => $QUERY{$SECOND}],
    [ACT_AS_PRIVATE_MARKER => $MARKER{$SECOND}],
    map { [$_ => $tokens{$_}] } sort keys %tokens,
  );
  open my $out, '>:encoding(UTF-8)', $file or die "cannot write $file: $!";
  print {$out} map { qq($_->[0]="$_->[1]"\n) } @lines;
  close $out or die "cannot write $file: $!";
  return;
}

# Issues one token of every kind and variant, and returns them by the name of their variable.
sub issue_all {
  my @neither = grep { !/^(?:SEARCH|CHAT)$/ } @SCOPES;
  my %variants = (
    '' => [\@SCOPES],
    (map { ("_$_" => [[$_]]) } @SCOPES),
    _ALL_BUT_SEARCH => [[grep { $_ ne 'SEARCH' } @SCOPES]],
    _ALL_BUT_CHAT => [[grep { $_ ne 'CHAT' } @SCOPES]],
    _UNSCOPED => [\@neither],
    _EXPIRED => [\@SCOPES, time - $DAY],
    _EXPIRED_UNSCOPED => [\@neither, time - $DAY],
    _FUTURE_EXPIRY => [\@SCOPES, time + $DAY],
    _FOREIGN => [\@SCOPES, undef, 1],
  );
  my %tokens;
  for my $kind (@KINDS) {
    my $email = $kind eq 'GLOBAL' ? undef : $kind eq 'OKTA' ? $THIRD : $FIRST;
    for my $suffix (keys %variants) {
      next if $suffix eq '_FOREIGN' && $kind =~ /^(?:USER|GLOBAL)$/;
      my ($scopes, $expires, $foreign) = @{ $variants{$suffix} };
      my $text = $SIGNED{$kind} ? signed($kind, $expires) : opaque();
      $ISSUED{$text} = {
        kind => $kind, email => $email, expires => $expires, foreign => $foreign,
        scopes => { map { $_ => 1 } @{$scopes} },
      };
      $tokens{"${kind}_TOKEN$suffix"} = $text;
    }
  }
  return %tokens;
}

# Opaque tokens have "+" and "/" inside and "=" at their end (RFC 6750 2.1).
sub opaque {
  return 'v1+/' . encode_base64(random_bytes(25), '');
}

sub signed {
  my ($kind, $expires) = @_;
  my $json = JSON::PP->new->canonical;
  my %claims = (iss => lc $kind, jti => random_hex(8), exp => $expires // time + $DAY);
  my $part = join '.', map { encode_base64url($json->encode($_)) } { alg => 'HS256', typ => 'JWT' }, \%claims;
  return "$part." . encode_base64url(hmac_sha256($part, random_bytes(32)));
}

1;
