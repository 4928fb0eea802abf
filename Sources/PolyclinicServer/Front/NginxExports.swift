/// The part of the site that hands out everything that somebody has stored.
///
/// nginx takes such an answer from the worker at once, as far as it has room for it, and keeps it for a
/// client on a slow line: so the worker's thread and its read transaction end early.
enum NginxExports {
  /// For the `http` block.
  static let zones = """
    limit_conn_zone $polyclinic_network zone=polyclinic_exports:1m;
    limit_conn_zone $server_name zone=polyclinic_all_exports:64k;

    """

  /// The location; `page` is what each page of the portal has.
  static func location(_ page: String) -> String {
    """

      # Downloads of everything that somebody has stored.
      location ~ /export(?:\\.[a-z]+)?$ {
        # Room for 64 MB, taken as it is needed: at most 512 MB for all downloads.
        fastcgi_buffers 8192 8k;
        limit_conn polyclinic_addresses 100;
        limit_conn polyclinic_exports 3;
        limit_conn polyclinic_all_exports 8;
    \(page)
      }
    """
  }
}
