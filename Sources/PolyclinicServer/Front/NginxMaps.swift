import PolyclinicCore

/// What the site needs beside its servers: the upstream, the limits' zones, the log's format, and
/// the variables that depend on a request.
struct NginxMaps {
  let configuration: Configuration
  /// The path segments that the access log may show.
  let words: [String]

  /// Throws ``ConfigurationError`` for a path that cannot be written in nginx's language.
  func text() throws -> String {
    try upstream() + languages + Self.limits + transport + Self.answers + log
  }

  private func upstream() throws -> String {
    let socket = try Nginx.quoted("unix:" + configuration.server.socket)
    return """
      # The same several times: when a worker dies, nginx asks the "next" server, which is another
      # worker, and may die as well.
      upstream polyclinic {
      \(Array(repeating: "  server \(socket) max_fails=0;", count: 4).joined(separator: "\n"))
      }


      """
  }

  /// The language of nginx's own pages: what was chosen, else the first of ours that the browser
  /// names, else the portal's first.
  private var languages: String {
    let languages = configuration.clinic.languages
    let codes = languages.map { $0 == .hebrew ? "he|iw" : $0.code }
    let skipped = "^(?:(?!\\s*(?:\(codes.joined(separator: "|")))\\b)[^,]*,)*\\s*"
    let accepted = zip(languages, codes).map { language, codes in
      "  \"~*\(skipped)(?:\(codes))\\b\" \(language.code);"
    }
    let chosen = languages.map(\.code).joined(separator: "|")
    return """
      map $http_accept_language $polyclinic_accepted {
        default \(languages.first?.code ?? Language.english.code);
      \(accepted.joined(separator: "\n"))
      }
      # No variable of nginx names a cookie with a hyphen.
      map $http_cookie $polyclinic_language {
        default $polyclinic_accepted;
        "~(?:^|; *)\(Cookies.language)=(?<polyclinic_chosen>\(chosen))(?:;|$)" $polyclinic_chosen;
      }
      # Programs get no page.
      map $request_uri $polyclinic_error {
        default $polyclinic_language.html;
        "~^/api/" json;
      }


      """
  }

  /// Slows requests that hash a password or tell which logins are taken, by address. The portal itself
  /// bounds hashing over all addresses (`HashingPlaces`), because it knows which requests hash.
  private static let limits = #"""
    # Of an IPv6 address the /64, which is what one household or machine usually gets (RFC 6177).
    map $remote_addr $polyclinic_network {
      default $binary_remote_addr;
      "~^(?<polyclinic_prefix>(?:[0-9a-f]+:){4})" $polyclinic_prefix;
      "~^(?<polyclinic_short>(?:[0-9a-f]+:){1,3}):" $polyclinic_short;
    }
    \#(NginxExports.zones)
    map "$request_method $uri" $polyclinic_entry {
      default "";
      "~^POST /(?:login|register|setup/[^/]+|reset/[^/]+|invitation/[^/]+|account/(?:edit|password|tokens/new|sessions/(?:[0-9]+/end|end-others)))/?$" $polyclinic_network;
    }
    limit_req_zone $polyclinic_entry zone=polyclinic_entry:10m rate=5r/s;
    limit_conn_zone $polyclinic_network zone=polyclinic_addresses:10m;
    limit_conn_zone $polyclinic_network zone=polyclinic_uploads:1m;
    # Without the query, which may hold what somebody searches for.
    map $request_uri $polyclinic_bare {
      "~^(?<polyclinic_part>[^?]*)" $polyclinic_part;
    }
    map $request_uri $polyclinic_too_long {
      default "";
      "~^.{4096}" 1;
    }


    """#

  /// For a year, and for the names below the portal's own where the configuration says so.
  private var transport: String {
    let subdomains = configuration.server.hasStrictSubdomains ? "; includeSubDomains" : ""
    return """
      map $https $polyclinic_transport {
        on "max-age=31536000\(subdomains)";
        default "";
      }

      """
  }

  /// Headers that depend on the answer: empty where the application has set its own.
  private static let answers = #"""
    map $upstream_http_content_security_policy $polyclinic_policy {
      "" "\#(SecurityHeaders.contentSecurityPolicy)";
      default "";
    }
    map $request_uri $polyclinic_age {
      "~^/assets/(?:flags/)?[A-Za-z0-9_-]+\.[0-9a-f]{8,64}\.[a-z0-9]+(?:\?|$)" "public, max-age=31536000, immutable";
      "~^/assets/" "public, max-age=3600";
      "~^/(?:favicon\.ico|apple-touch-icon\.png)" "public, max-age=86400";
      default no-store;
    }
    map $status $polyclinic_own_cache {
      ~^(?:200|206|304)$ $polyclinic_age;
      default no-store;
    }
    map $upstream_http_cache_control $polyclinic_cache {
      "" $polyclinic_own_cache;
      default "";
    }
    # What reached no worker was not carried out: nobody listens, or the queue is full.
    map $upstream_bytes_sent $polyclinic_unreached {
      default "";
      "~^[-0 ,:]*$" 1;
    }
    map "$status $upstream_http_retry_after" $polyclinic_retry {
      "429 " 10;
      "~^50[234] $" 5;
      default "";
    }
    map "$status $upstream_http_allow" $polyclinic_allow {
      "405 " "GET, HEAD";
      default "";
    }


    """#

  /// Logs in the form of the portal's own log, with the same request id, so that one search finds both.
  ///
  /// Addresses of people and queries are left out. A path ends in the log before its first segment that
  /// no route declares and that is no short number, since that may be a name or a secret.
  private var log: String {
    let known = words.map { $0.replacing(".", with: "\\.") }.joined(separator: "|")
    return #"""
      map $request_uri $polyclinic_path {
        "~^(?<polyclinic_known>(?:/(?:\#(known)|[0-9]{1,7}|)(?=[/?]|$))+)" $polyclinic_known;
        default -;
      }
      log_format polyclinic '$time_iso8601 info nginx request bytes=$body_bytes_sent '
        'method=$request_method path="$polyclinic_path" request=$request_id status=$status '
        'time=$request_time upstream="$upstream_response_time"';


      """#
  }
}
