/// A system that modules and targets are built for.
package enum ModulePlatform: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
  case ios
  case macos
  case tvos
  case watchos
  case visionos
  case linux
  case android
  case harmonyos

  package static func < (left: ModulePlatform, right: ModulePlatform) -> Bool { left.rawValue < right.rawValue }
}
