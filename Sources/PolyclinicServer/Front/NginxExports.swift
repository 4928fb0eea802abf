/// The part of the site that hands out everything that somebody has stored.
///
/// nginx takes such an answer from the worker at once, as far as it has room for it, and keeps it for a
/// client on a slow line: so the worker's thread and its read transaction end early.
struct NginxExports {
  /// The paths of such downloads.
  let paths: [String]

  /// For the `http` block: places are counted for browsers with a session alone, so that others cannot
  /// hold them with answers that they do not read.
  static let zones = """
    map $http_cookie $polyclinic_session {
      default "";
      "~(?:^|; *)\(Cookies.session)=(?<polyclinic_token>[A-Za-z0-9_-]{16,64})(?:;|$)" $polyclinic_token;
    }
    map $polyclinic_session $polyclinic_reader {
      default $polyclinic_network;
      "" "";
    }
    map $polyclinic_session $polyclinic_all_readers {
      default all;
      "" "";
    }
    limit_conn_zone $polyclinic_session zone=polyclinic_session_exports:1m;
    limit_conn_zone $polyclinic_reader zone=polyclinic_exports:1m;
    limit_conn_zone $polyclinic_all_readers zone=polyclinic_all_exports:64k;

    """

  /// Their location; `page` is what each page of the portal has. Empty where no module has any.
  func location(_ page: String) -> String {
    if paths.isEmpty { return "" }
    let expression = paths.map { $0.split(separator: ".").joined(separator: "\\.") }
      .joined(separator: "|")
    return """

        # Downloads of everything that somebody has stored.
        location ~ ^/(?:\(expression))$ {
          # Room for 64 MB, taken as it is needed.
          fastcgi_buffers 8192 8k;
          limit_conn polyclinic_addresses 100;
          limit_conn polyclinic_session_exports 3;
          limit_conn polyclinic_exports 3;
          limit_conn polyclinic_all_exports 24;
      \(page)
        }
      """
  }
}
