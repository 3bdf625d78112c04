package import MPaaSSupport

/// Something in a project that does not hold together.
package struct ProjectFinding: Sendable, Equatable {
  package enum Severity: String, Sendable, Comparable {
    case error, warning, note

    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
    private var rank: Int {
      switch self {
      case .error: 0
      case .warning: 1
      case .note: 2
      }
    }
  }

  /// The rules; the texts of `text.project-check-…` bear these names.
  package enum Rule: String, Sendable, CaseIterable {
    // The text
    case syntax
    case encoding, header, quotes = "unquoted"
    case duplicateKey = "duplicate-key"
    // The project
    case futureVersion = "future-version"
    case version
    case rootObject = "root-object"
    // Objects
    case duplicateID = "duplicate-id"
    case noKind = "no-kind"
    case unknownKind = "unknown-kind"
    case missingMember = "missing-member"
    case wrongType = "wrong-type"
    case dangling
    case wrongKind = "wrong-kind"
    case orphan
    case section
    // Objects beside each other
    case groupCycle = "group-cycle"
    case twoGroups = "two-groups"
    case noGroup = "no-group"
    case twoPhases = "two-phases"
    case twoOwners = "two-owners"
    case twice
    case emptyBuildFile = "empty-build-file"
    case duplicateBuildFile = "duplicate-build-file"
    case noConfigurations = "no-configurations"
    case defaultConfiguration = "default-configuration"
    case duplicateConfiguration = "duplicate-configuration"
    case missingConfiguration = "missing-configuration"
    case duplicateTarget = "duplicate-target"
    case targetCycle = "target-cycle"
    // Files that are built in two ways
    case inSyncedFolder = "in-synced-folder"
    case infoPlistCopied = "info-plist-copied"
    // The disk
    case missingFile = "missing-file"
    case missingFramework = "missing-framework"
    case missingBaseConfiguration = "missing-base-configuration"
    case missingSettingFile = "missing-setting-file"
    case missingPackage = "missing-package"
    case missingSyncedFolder = "missing-synced-folder"
    case missingException = "missing-exception"
    case noFiles = "no-files"

    package var severity: Severity {
      switch self {
      case .header, .unknownKind, .orphan, .twoGroups, .noGroup, .duplicateBuildFile, .defaultConfiguration,
        .duplicateTarget,
        .emptyBuildFile, .quotes, .twice:
        .warning
      case .section, .missingConfiguration, .missingException, .noFiles: .note
      default: .error
      }
    }
  }

  package let rule: Rule
  /// The values that the text names.
  package let values: [String: String]
  /// The object that it is about; empty where it is about none.
  package let id: String
  package let place: Place
  /// The diagnostic where the file is no property list: the text is that of the error.
  package let diagnostic: Diagnostic?

  package let severity: Severity

  /// - Parameter severity: nil for that of the rule.
  init(
    _ rule: Rule, _ values: [String: String] = [:], id: String = "", severity: Severity? = nil, at place: Place
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    self.values = values
    self.id = id
    self.place = place
    diagnostic = nil
  }

  /// The problems of reading.
  package init(_ error: some DiagnosticConvertible, file: String) {
    let diagnostic = error.diagnostic
    rule = .syntax
    severity = rule.severity
    values = [:]
    id = ""
    place = diagnostic.place ?? .file(file)
    self.diagnostic = diagnostic
  }
}
