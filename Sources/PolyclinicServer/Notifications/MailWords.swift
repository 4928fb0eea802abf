import PolyclinicCore

/// What an e-mail says, in its reader's language.
struct MailWords {
  let front: Front
  let language: Language

  func text(_ text: Text) -> String {
    front.installation.wording(of: text, in: language)
      ?? own("mail.notice.subject")
  }

  /// The module's words, then where to read on: an address stands on a line of its own, since marks
  /// of direction around it would become a part of it.
  func body(of queued: QueuedMail) -> String {
    var lines = [text(queued.body), ""]
    if queued.recipient.isEmpty {
      lines += [own("mail.read-on"), address(queued.path), "", "-- ", front.site.clinic.name]
      lines += [own("mail.why"), address("/notifications/preferences")]
    } else {
      lines += [address(queued.path), "", "-- ", front.site.clinic.name]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func address(_ path: Path) -> String { "\(front.site.origin)\(path)" }

  private func own(_ text: Text) -> String {
    front.installation.wording(of: text.spoken(by: NotificationsModule.moduleID), in: language)
      ?? ""
  }
}
