import PolyclinicCore
import PolyclinicWeb

/// The text of e-mails in the reader's language.
struct MailWords {
  let server: ServerContext
  let language: Language

  func text(_ text: Text) -> String {
    server.installation.wording(of: text, in: language)
      ?? own("mail.notice.subject")
  }

  /// Returns the module's text, a link and the footer. A link has a line of its own, because
  /// bidirectional marks around it would become part of it.
  func body(of queued: QueuedMail) -> String {
    var lines = [text(queued.body), ""]
    if queued.recipient.isEmpty {
      lines += [own("mail.read-on"), address(queued.path), "", "-- ", server.site.clinic.name]
      lines += [own("mail.why"), address("/notifications/preferences")]
    } else {
      lines += [address(queued.path), "", "-- ", server.site.clinic.name]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func address(_ path: Path) -> String { "\(server.site.origin)\(path)" }

  private func own(_ text: Text) -> String {
    server.installation.wording(of: text.spoken(by: NotificationsModule.moduleID), in: language)
      ?? ""
  }
}
