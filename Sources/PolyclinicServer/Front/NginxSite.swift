import Glibc

/// The portal as nginx sees it: a file to include in `http { }`, with all that it needs there.
struct NginxSite {
  let configuration: Configuration
  /// Where the access log goes.
  let logs: String
  var paths = SitePaths()
  /// Without IPv6 in the kernel, nginx does not start where an address of it is listened on.
  var hasIPv6 = NginxSite.systemHasIPv6

  /// Throws ``ConfigurationError`` for a path that cannot be written in nginx's language.
  func text() throws -> String {
    try """
    # Made by "polyclinic config nginx": include it in http { }. Written for nginx 1.22 and later.
    # nginx.conf needs room for slow clients, outside of http { }:
    #   \(NginxCapacity.wanted.limit)
    #   \(NginxCapacity.wanted.events)

    \(NginxMaps(configuration: configuration, words: paths.words).text())
    \(foreignServer())
    \(server())\(redirectServer)
    """
  }

  /// The first server of a port answers for names that no other has.
  private func foreignServer() throws -> String {
    try """
    # Any name but the configured one.
    server {
    \(listening)
      server_name "";
    \(frame())

      location / { return 421; }
    }

    """
  }

  private func server() throws -> String {
    try """
    server {
    \(listening)
      server_name \(configuration.server.origin.host);
    \(frame())

      location / {
    \(page)
      }\(paths.uploads.map(location).joined())
      location @unanswered {
        if ($polyclinic_unreached) { return 503; }
        return 502;
      }
      # Room for 8 MB: no worker waits for a client that reads a page slowly. Each buffer takes one record
      # of the worker's library, and would take no more if it were larger.
      fastcgi_buffers 1024 8k;
    \(NginxExports(paths: paths.exports).location(page))

      # For this machine's own monitor: one answer costs a write, the other tells how much goes on here.
      location ~ ^/(?:readyz|metrics)$ {
        allow 127.0.0.1;
        allow ::1;
        deny all;
    \(application)
      }
    }

    """
  }

  /// The limits and the upstream of every page.
  private var page: String {
    """
        if ($polyclinic_too_long) { return 414; }
        limit_req zone=polyclinic_entry burst=20 delay=10;
    \(application)
    """
  }

  /// Only where files are taken may a body be larger, so that many large ones cannot fill the memory.
  private func location(_ upload: UploadPath) -> String {
    let limit = configuration.server.maxBodyBytes + upload.limit
    return """

        location ~ \(upload.expression) {
          client_max_body_size \(limit);
          client_body_buffer_size \(limit + 65_536);
          client_body_timeout 60s;
          # Each holds its whole body in memory, whoever sends it.
          limit_conn polyclinic_addresses 100;
          limit_conn polyclinic_uploads 8;
      \(page)
        }
      """
  }

  /// Browsers try port 80 when only a name is typed.
  private var redirectServer: String {
    guard configuration.server.origin.port == 443 else { return "" }
    let host = configuration.server.origin.host
    return """

      server {
        listen 80;\(hasIPv6 ? "\n  listen [::]:80;" : "")
        server_name \(host);
        server_tokens off;
        access_log off;
        return 301 https://\(host)$polyclinic_bare;
      }

      """
  }

  /// A portal called localhost is for this machine alone.
  private var listening: String {
    let origin = configuration.server.origin
    var addresses = origin.isLocal ? ["127.0.0.1:\(origin.port)"] : ["\(origin.port)"]
    if hasIPv6 { addresses.append(origin.isLocal ? "[::1]:\(origin.port)" : "[::]:\(origin.port)") }
    return addresses.map { "  listen \($0) ssl http2;" }.joined(separator: "\n")
  }

  /// What both servers share: a request that cannot be read is answered by the first.
  private func frame() throws -> String {
    let server = configuration.server
    return try """
    \(NginxFrame.transport(
        certificate: Nginx.quoted(server.certificate), key: Nginx.quoted(server.certificateKey)))
    \(NginxFrame.limits(maxBodyBytes: server.maxBodyBytes))
      access_log \(Nginx.quoted(FilePath.join(logs, "polyclinic.access.log"))) polyclinic;
      # Lower levels quote requests: crit does so when the socket is missing.
      error_log \(Nginx.quoted(FilePath.join(logs, "polyclinic.error.log"))) alert;

    \(NginxFrame.headers)

    \(NginxFrame.errorPages(origin: server.origin))

    \(NginxFrame.files(in: server.www))
    """
  }

  private var application: String {
    let origin = configuration.server.origin
    let limit = configuration.server.maxRequestSeconds
    let pages = NginxFrame.pages.filter { $0 != 502 }
      .map { NginxFrame.errorPage($0) }.joined(separator: "\n    ")
    return """
          # A chunked body would overflow its buffer by the heads of its chunks, onto the disk.
          if ($http_transfer_encoding) { return 411; }
          fastcgi_pass polyclinic;
          error_page 502 = @unanswered;
          # With one error_page of its own, a location inherits none.
          \(pages)
          # Workers close each connection. With "on", nginx takes one that closes before the record that
          # ends an answer for a failure; with "off", for a whole answer.
          fastcgi_keep_conn on;
          fastcgi_connect_timeout 5s;
          # A worker that has been at a request for \(limit) seconds ends itself.
          fastcgi_send_timeout \(limit + 5)s;
          fastcgi_read_timeout \(limit + 5)s;
          # Never a POST: one that may have been carried out is not sent again. Nor what hung: the next
          # worker would hang too.
          fastcgi_next_upstream error timeout;
          fastcgi_next_upstream_timeout \(max(1, limit / 2))s;
          fastcgi_intercept_errors off;
          fastcgi_buffer_size 32k;
          fastcgi_max_temp_file_size 0;
          # A compressed page would let its token be guessed by its length (BREACH).
          gzip off;

          fastcgi_param GATEWAY_INTERFACE CGI/1.1;
          fastcgi_param REQUEST_METHOD $request_method;
          fastcgi_param REQUEST_URI $request_uri;
          fastcgi_param QUERY_STRING $query_string;
          fastcgi_param CONTENT_TYPE $content_type;
          fastcgi_param CONTENT_LENGTH $content_length;
          fastcgi_param SERVER_PROTOCOL $server_protocol;
          fastcgi_param SERVER_NAME \(origin.host);
          fastcgi_param SERVER_PORT \(origin.port);
          fastcgi_param REMOTE_ADDR $remote_addr;
          fastcgi_param HTTPS on;
          fastcgi_param REQUEST_ID $request_id;
          # A worker turns away what has waited for too long.
          fastcgi_param REQUEST_TIME $msec;
          # A request header "Proxy" would turn up as this (CVE-2016-5385).
          fastcgi_param HTTP_PROXY "";
      """
  }

  /// Whether the kernel lists an interface with an IPv6 address.
  static var systemHasIPv6: Bool {
    let descriptor = open("/proc/net/if_inet6", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) == 1
  }
}
