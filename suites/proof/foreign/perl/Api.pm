# Decides what a request is answered with. It knows nothing of sockets.
#
# A request is { method, path, query_string, headers (names in lower case), body }, an answer { status, type, body } with
# optional { headers, chunked }. Where the specification leaves something open, this server chooses what few would.
# docs/contract.md is what it obeys.
package Api;
use strict;
use warnings;
use B ();
use Identity ();
use JSON::PP;

my %OPERATION = ('/rest/api/v1/search' => 'SEARCH', '/rest/api/v1/chat' => 'CHAT');
my %OPTIONAL = (SEARCH => 'pageSize', CHAT => 'conversationId');
my $MISSING_ACT_AS = 'Required header missing: X-Service-ActAs';
my $MOST_RESULTS = 4;
my $LARGEST_PAGE = 100;

my $fault = '';
# What was said in each conversation. People who use the same conversationId have a conversation each.
my %conversations;
# The people as whom a valid token ran a request, for a fault.
my %seen;

sub start { my ($chosen) = @_; $fault = $chosen; return }

sub answer {
  my ($request) = @_;
  my $answer = eval { respond($request) };
  return $answer if $answer;
  return $@ if ref $@ eq 'HASH';
  warn $@;
  return { status => 500, type => 'text/plain', body => "defect\n" };
}

sub respond {
  my ($request) = @_;
  my $operation = $OPERATION{ $request->{path} }
    or die { status => 404, type => 'text/plain', body => "no such page\n" };
  refuse(405, 'Method Not Allowed', ['ALLOW: POST']) if $request->{method} ne 'POST';
  # The specification orders no checks. Here the body comes first.
  my $body = read_body($request, $operation);
  my $person = person($request, $operation, $body);
  return $operation eq 'SEARCH' ? search($person, $body) : chat($person, $body);
}

# Refuses with JSON under unusual keys, with an escaped first letter, and with blank lines around.
sub refuse {
  my ($status, $message, $headers) = @_;
  my $first = sprintf '\u%04x', ord $message;
  my $rest = substr $message, 1;
  my $body = qq(\n\n  { "\\u006fops" :\t[ [ ], { "said":   "$first$rest" } ] }  \r\n\n);
  my $type = 'application/vnd.oops+json';
  die { status => $status, type => $type, body => $body, headers => $headers // [] };
}

sub unauthorized {
  my ($message) = @_;
  my $bearer = 'WWW-AUTHENTICATE: Negotiate, Bearer realm="a, \"b\"", error="invalid_token"';
  return refuse(401, $message // 'Unauthorized', [$bearer, 'WWW-AUTHENTICATE: Digest realm="old", nonce="0"']);
}

sub read_body {
  my ($request, $operation) = @_;
  my ($type) = split /\s*;/, lc($request->{headers}{'content-type'} // '');
  refuse(422, 'Send JSON.') if ($type // '') ne 'application/json';
  my $body = eval { JSON::PP->new->utf8->decode($request->{body}) };
  refuse(422, 'Send a JSON object.') if ref $body ne 'HASH';
  refuse(422, 'Send a query.') if !is_string($body->{query});
  my $optional = $body->{ $OPTIONAL{$operation} };
  if (exists $body->{ $OPTIONAL{$operation} }) {
    my $fits = $operation eq 'CHAT' ? is_string($optional) : is_integer($optional) && $optional <= $LARGEST_PAGE;
    refuse(422, "Send another $OPTIONAL{$operation}.") if !$fits;
  }
  refuse(400, 'Send a pageSize.') if $fault eq 'page-size-required' && $operation eq 'SEARCH' && !defined $optional;
  refuse(400, 'Send a conversationId.')
    if $fault eq 'conversation-required' && $operation eq 'CHAT' && !defined $optional;
  return $body;
}

# Perl does not tell numbers from strings, but its flags do.
sub is_string {
  my ($value) = @_;
  return defined $value && !ref $value && (B::svref_2object(\$value)->FLAGS & B::SVf_POK);
}

sub is_integer {
  my ($value) = @_;
  return defined $value && !ref $value && !is_string($value) && $value =~ /^\d+$/;
}

# Who the request runs as (spec 5), once every check of it has passed.
sub person {
  my ($request, $operation, $body) = @_;
  my $headers = $request->{headers};
  my $token = Identity::read_token(token_text($request)) or return unauthorized();
  refuse(403, 'This token is for another client.') if $token->{foreign};
  # Open in the specification: the value of the header in any case is good.
  refuse(403, 'Missing X-Service-Auth-Type header')
    if $Identity::EXTERNAL{ $token->{kind} } && lc($headers->{'x-service-auth-type'} // '') ne 'oauth';
  my $act_as = $headers->{'x-service-actas'};
  $act_as //= $headers->{'x-service-act-as'} if $fault eq 'header-hyphen';
  my $runs_as = $token->{email} // $act_as // '';
  unauthorized() if defined $token->{expires} && $token->{expires} <= time && !$seen{$runs_as};
  check_scope($operation, $token, $request);
  my $person = $token->{kind} eq 'GLOBAL' ? impersonated($act_as) : bound($token, $act_as);
  $seen{$person} = 1 if $fault eq 'expired-after-valid' && !defined $token->{expires};
  return $body->{user} if $fault eq 'user-field' && $Identity::PERSON_EXISTS{ $body->{user} // '' };
  return $person;
}

sub token_text {
  my ($request) = @_;
  my $authorization = $request->{headers}{authorization};
  if (!defined $authorization && $fault eq 'token-in-query') {
    my ($text) = $request->{query_string} =~ /(?:^|&)access_token=([^&]*)/;
    return decoded($text) if defined $text;
  }
  unauthorized() if !defined $authorization;
  return $1 if $fault eq 'scheme-none' && $authorization =~ /^(\S+)$/;
  my $scheme = $fault eq 'scheme-longer' ? qr/Bearer\S*/i : qr/Bearer/i;
  my ($text) = $authorization =~ /^$scheme +(\S+)$/ or return refuse(400, 'Send a bearer token.');
  return $fault eq 'token-percent-encoded' ? decoded($text) : $text;
}

sub decoded {
  my ($text) = @_;
  return $text =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ger;
}

sub check_scope {
  my ($operation, $token, $request) = @_;
  my %needs = ($operation => 1);
  %needs = ($operation eq 'SEARCH' ? 'CHAT' : 'SEARCH' => 1) if $fault eq 'scopes-swapped';
  $needs{SEARCH} = 1 if $fault eq 'chat-needs-search';
  return if !grep { !$token->{scopes}{$_} } keys %needs;
  my $headers = $request->{headers};
  return if $fault eq 'forwarded-for' && ($headers->{'x-forwarded-for'} // '') eq '127.0.0.1';
  return
    if $fault eq 'one-person-scope'
    && $token->{kind} eq 'GLOBAL'
    && ($headers->{'x-service-actas'} // '') eq $Identity::SECOND;
  return unauthorized() if $fault eq 'scope-401';
  return refuse(403, 'This token does not cover that.');
}

# The person of a token that belongs to one.
sub bound {
  my ($token, $act_as) = @_;
  if ($token->{kind} eq 'USER') {
    if ($fault eq 'user-needs-act-as') {
      refuse(400, $MISSING_ACT_AS) if !defined $act_as;
    }
    # Open in the specification: this server wants no header that a token has no use for.
    elsif (defined $act_as) { refuse(400, 'This token acts for its owner.') }
  }
  return $token->{email};
}

sub impersonated {
  my ($act_as) = @_;
  if (!defined $act_as) {
    refuse(400, $fault eq 'missing-act-as-other-words' ? 'Required header missing: X-Service-Act-As' : $MISSING_ACT_AS);
  }
  unauthorized('Invalid identity') if !$Identity::PERSON_EXISTS{$act_as};
  return $fault eq 'global-acts-as-first' ? $Identity::FIRST : $act_as;
}

sub search {
  my ($person, $body) = @_;
  my $size = $body->{pageSize} // $MOST_RESULTS;
  my @found = find($person, $body->{query});
  my $last = ($size < $MOST_RESULTS ? $size : $MOST_RESULTS) - 1;
  my @results = reverse map { "$_->{title}\n$_->{text}" } grep { defined } @found[0 .. $last];
  my %answer = (
    results => \@results,
    trackingToken => "tracking \x{2713}\n",
    requestId => Identity::random_hex(64),
    hasMoreResults => JSON::PP::true,
    "" => undef,
  );
  $answer{results} = { map { $_ => $results[$_] } 0 .. $#results } if $fault eq 'results-object';
  my $json = JSON::PP->new->ascii->pretty->indent_length(9)->encode(\%answer);
  return { status => 200, type => 'Application/JSON;charset=UTF-8;v="1"', body => "\r\n\t $json\n\n" };
}

sub find {
  my ($person, $query) = @_;
  my @words = split ' ', lc $query;
  my %score;
  for my $document (grep { readable($_, $person) } @Identity::DOCUMENTS) {
    my $text = lc "$document->{title} $document->{text}";
    my $score = grep { index($text, $_) >= 0 } @words;
    $score{ $document->{title} } = [$score, $document] if $score;
  }
  return map { $_->[1] } sort { $b->[0] <=> $a->[0] || $b->[1]{title} cmp $a->[1]{title} } values %score;
}

sub readable {
  my ($document, $person) = @_;
  my $owner = $document->{owner} // return 1;
  return $owner eq $person || ($fault eq 'one-person-public' && $owner eq $Identity::FIRST);
}

# Answers with one JSON value a line, in chunks that end in the middle of a character.
sub chat {
  my ($person, $body) = @_;
  my $id = $body->{conversationId} // Identity::random_hex(3);
  my $said = $conversations{ $fault eq 'conversation-shared' ? $id : "$person $id" } //= [];
  my @cited = find($person, $body->{query});
  splice @cited, 3 if @cited > 3;
  my $text = @cited ? $cited[0]{text} : 'Nobody knows.';
  my @lines = (
    { conversationId => $id, before => [@{$said}] },
    (map { { delta => $_ } } $text =~ /\s*\S+/g),
    { cited => [map { [$_->{title}, $_->{text}] } @cited] },
    [],
  );
  push @{$said}, $body->{query}, $text;
  my $json = JSON::PP->new->utf8;
  my $answer = join '', map { $json->encode($_) . "\n" } @lines;
  return { status => 200, type => 'application/x-ndjson', body => $answer, chunked => 1 };
}

1;
