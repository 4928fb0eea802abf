public struct Setting: Sendable {}
public struct Settings: Sendable { public init() {} }
