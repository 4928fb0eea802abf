import PolyclinicCore

/// The contract of a module's links, assets and commands, and of data of people without accounts.
extension ModuleContract {
  /// Each link leads to a page for visitors who see it, and each landing page opens for its role.
  func linksLeadNowhere() throws -> [String] {
    let portal = try preparedPortal()
    let patient = try portal.register()
    let staff = try Self.staff(of: portal)
    return module.links.flatMap { [$0] + $0.actions }.compactMap { link in
      let path = link.path.resolved(in: module.id)
      let seeing = if case .role(let role) = link.access { staff[role] ?? patient } else { patient }
      let page = seeing.get(path.description)
      guard page.status == 200 else {
        return "the link to \(path) leads nowhere: it answers \(page.outcome)"
      }
      guard let role = link.landing else { return nil }
      let arriving = (staff[role] ?? patient).get(path.description).status
      return arriving == 200
        ? nil : "\(path) answers \(arriving) to the role \(role.rawValue), which arrives there"
    }
  }

  /// Each asset is answered to everybody with its type, and to nobody while the module is disabled.
  func assetsAreMissing() throws -> [String] {
    let visitor = try preparedPortal().visitor()
    let other = try TestPortal(module, disabled: [module.id], settings: settings).visitor()
    return module.assets.flatMap { asset in
      let path = "/assets/modules/\(module.id)/\(asset.name)"
      let answer = visitor.get(path)
      let type = "text/\(asset.isStyle ? "css" : "javascript"); charset=utf-8"
      return [
        answer.status == 200 && answer.header("Content-Type") == type
          ? nil : "the asset \(path) is answered by \(answer.outcome), not by \(type)",
        other.get(path).status == 404 ? nil : "the asset \(path) is answered while it is off",
      ].compactMap { $0 }
    }
  }

  /// Commands and their parameters have valid and unique names, and descriptions.
  func commandsAreUnclear() -> [String] {
    let commands = module.commands
    return Self.unclear(commands.map { ($0.name, $0.about) }, "command", taken: ["help"])
      + commands.flatMap { command in
        Self.unclear(
          command.parameters.map { ($0.name, $0.about) }, "parameter of \(command.name)",
          taken: ["config", "help"])
      }
  }

  private static func unclear(
    _ named: [(name: String, about: String)], _ kind: String, taken: Set<String>
  ) -> [String] {
    var known = taken
    return named.flatMap { name, about in
      var broken: [String] = []
      if !ModuleID.isValid(name) { broken.append("\(kind) “\(name)”: no name to be typed") }
      if !known.insert(name).inserted { broken.append("\(kind) “\(name)”: the name is taken") }
      if about.isEmpty { broken.append("\(kind) “\(name)”: nothing says what it is") }
      return broken
    }
  }

  /// The data of a person without an account can be exported, and its derived indexes rebuilt.
  func needsAnAccount() throws -> [String] {
    let portal = try preparedPortal()
    let keys = try portal.enter("Vera")
    do {
      try portal.write {
        let work = $0.with(keys)
        for index in module.rebuildableIndexes { try index.rebuild(work) }
      }
    } catch { return ["an index of a person without an account cannot be rebuilt: \(error)"] }
    return try exportFails(for: keys, in: portal).map { "of a person without an account, \($0)" }
  }
}
