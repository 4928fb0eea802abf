import PolyclinicCore

extension SecurityEvent {
  /// Creates the event of a change in the audit log.
  package init(_ action: AuditEntry.Action, of person: ID<Person>?, _ role: Role?) {
    var details = ["action": action.rawValue]
    details["role"] = role?.rawValue
    let isLink = [.passwordLink, .secondFactorLink, .invite].contains(action)
    self.init(isLink ? .linkMade : .accountChanged, of: [person].compactMap(\.self), details)
  }
}
