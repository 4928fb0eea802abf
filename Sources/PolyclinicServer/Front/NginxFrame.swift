import PolyclinicCore

/// What each server of the site has, whatever it serves.
enum NginxFrame {
  /// Mozilla's intermediate configuration, version 5.7.
  static func transport(certificate: String, key: String) -> String {
    let ciphers = [
      "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256",
      "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-RSA-AES256-GCM-SHA384",
      "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ]
    return """
        ssl_certificate \(certificate);
        ssl_certificate_key \(key);
        ssl_protocols TLSv1.2 TLSv1.3;
        ssl_ciphers \(ciphers.joined(separator: ":"));
        ssl_prefer_server_ciphers off;
        ssl_session_cache shared:polyclinic:5m;
        ssl_session_timeout 1d;
        ssl_session_tickets off;

      """
  }

  /// Limits for bodies, slow clients and addresses.
  ///
  /// nginx keeps a body in memory and never writes it to disk: its buffer is larger than any body that
  /// it takes, and a chunked one, whose heads would fill the buffer too, is answered with 411.
  ///
  /// A client has ten seconds for the head of a request, which a telephone with a bad connection needs
  /// for TLS. The time-out of a body is between two reads, so that a slow upload may take as long as it
  /// needs. After a refusal, nginx reads what the client still sends for five seconds and not, as by
  /// default, for thirty: thousands of refused clients would hold their connections for so long.
  ///
  /// One address may have a hundred requests at once. A browser has a dozen; a whole clinic may share
  /// one address.
  static func limits(maxBodyBytes: Int) -> String {
    """
      server_tokens off;
      charset utf-8;
      client_max_body_size \(maxBodyBytes);
      client_body_buffer_size \(maxBodyBytes + 65_536);
      client_body_in_file_only off;
      client_header_timeout 10s;
      client_body_timeout 30s;
      lingering_time 5s;
      lingering_timeout 2s;
      reset_timedout_connection on;
      send_timeout 30s;
      large_client_header_buffers 4 16k;
      limit_req_status 429;
      limit_conn polyclinic_addresses 100;
      limit_conn_status 429;

    """
  }

  /// No location has an `add_header` of its own: one would drop all of these.
  static var headers: String {
    SecurityHeaders.all.map { "  add_header \($0.name) \"\($0.value)\" always;" }
      .joined(separator: "\n")
  }

  /// Those of which `www/errors` has a page in each language.
  static let pages = [400, 403, 404, 405, 411, 413, 414, 421, 429, 500, 502, 503, 504]

  static func errorPage(_ status: Int) -> String {
    "error_page \(status) /errors/\(status).$polyclinic_error;"
  }

  static func errorPages(origin: Origin) -> String {
    var lines = pages.map { "  \(errorPage($0))" }
    // 494 to 496 are nginx's own: header fields too large, a client's certificate.
    lines.append("  error_page 494 495 496 =400 /errors/400.$polyclinic_error;")
    // What is refused of a file: a range or a condition that does not fit it, a protocol of no version.
    lines.append("  error_page 412 416 501 505 /errors/400.$polyclinic_error;")
    // For the page of an error that a location has turned into another.
    lines.append("  recursive_error_pages on;")
    lines.append("  # Plain HTTP on this port.")
    lines.append("  error_page 497 =301 \(origin)$polyclinic_bare;")
    return lines.joined(separator: "\n")
  }

  /// `/assets/style.3f1c9a2b.css` is `style.css`: the hash is for the browser's cache alone.
  ///
  /// Throws ``ConfigurationError`` for a path that cannot be written in nginx's language.
  static func files(in www: String) throws -> String {
    func file(_ name: String) throws -> String { try Nginx.quoted(FilePath.join(www, name)) }
    let assets = try Nginx.quoted(www).dropLast()
    return try #"""
      types {
        text/html html;
        application/problem+json json;
        text/css css;
        text/javascript js;
        image/svg+xml svg;
        image/png png;
        image/x-icon ico;
        font/woff2 woff2;
        text/plain txt;
      }
      location ~ "^/assets/(?<polyclinic_name>(?:flags/)?[A-Za-z0-9_-]+)(?:\.[0-9a-f]{8,64})?\.(?<polyclinic_type>css|js|svg|png|ico|woff2|txt)$" {
        alias \#(assets)/$polyclinic_name.$polyclinic_type";
        gzip on;
        gzip_types text/css text/javascript text/plain image/svg+xml;
        gzip_vary on;
      }
      location /assets/ { return 404; }
      location = /favicon.ico { alias \#(file("favicon.ico")); }
      location = /apple-touch-icon.png { alias \#(file("apple-touch-icon.png")); }
      location ^~ /errors/ {
        internal;
        # The page that says that a body is too large is not to be refused for that body.
        client_max_body_size 0;
        root \#(Nginx.quoted(www));
        gzip off;
        # The page of a failure says by which words the log tells of it.
        sub_filter polyclinic-request-id $request_id;
        sub_filter_types application/problem+json;
      }
    """#
  }
}
