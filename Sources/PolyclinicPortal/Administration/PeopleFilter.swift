import PolyclinicCore
import PolyclinicWeb

/// The people whom an administrator looks for, and their order in the list.
struct PeopleFilter {
  /// Words of a name, or a whole login or e-mail.
  let words: String
  /// The role that the people have; nil for any.
  let role: Role?
  /// The state of their accounts; nil for any.
  let state: State?
  let order: Order

  /// A state of an account that the list can be filtered by.
  enum State: String, CaseIterable {
    case waiting, active, suspended
    /// People without an account.
    case none = "no-account"

    fileprivate var condition: SQL {
      switch self {
      case .waiting: "coalesce(wanted_role, '') <> ''"
      case .active: "state = 'active'"
      case .suspended: "state = 'suspended'"
      case .none: "accounts.person IS NULL"
      }
    }
  }

  /// The order of the list. People who wait for a role come first in both.
  enum Order: String, CaseIterable {
    case newest, name
  }

  /// Reads the filter from the query of the list.
  init(_ query: Fields) {
    words = query["q"]
    role = Role(rawValue: query["role"])
    state = State(rawValue: query["state"])
    order = Order(rawValue: query["order"]) ?? .newest
  }

  /// The condition of role and state, for a query of accounts.
  var condition: SQL {
    guard let role, role != .patient else { return state?.condition ?? "1" }
    let hasRole: SQL = "',' || coalesce(roles, '') || ',' LIKE '%,' || \(role.rawValue) || ',%'"
    return "\(hasRole) AND \(state?.condition ?? "1")"
  }

  /// Returns the path of a page of the list.
  func path(page: Int) -> Path {
    var fields = Fields()
    for (name, value) in [
      ("q", words), ("role", role?.rawValue ?? ""), ("state", state?.rawValue ?? ""),
      ("order", order == .newest ? "" : order.rawValue),
    ] where !value.isEmpty { fields.append(name, value) }
    fields.append("page", String(page))
    return Path("/admin/people").query(fields)
  }
}
