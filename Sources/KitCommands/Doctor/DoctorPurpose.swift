import ArgumentParser

/// A use of the kit, of which alone the doctor looks for the needs.
enum DoctorPurpose: String, CaseIterable, ExpressibleByArgument {
  /// Capture and symbolication of crashes.
  case crash
  /// Modules of a project, and registries of them.
  case modules
  /// Programs under the conditions of a network.
  case net
  /// The server, and whatever else serves.
  case server
}
