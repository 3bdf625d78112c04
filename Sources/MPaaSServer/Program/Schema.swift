package import MPaaSProtocol

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The tables of the server, in the order in which they came: each step stands once and for all.
///
/// A feature keeps its tables in a file of its own (`AccessTables`), as texts; a change of them is a further step here.
package enum Schema {
  package static let steps: [String] = [
    AccessTables.first,
    CountTables.first,
    UploadTables.first,
    CrashTables.first,
    RecordTables.first,
    AliveTables.first,
    TaskTables.first,
    CrashTables.regrouping,
    DataFolderTables.first,
    FlagTables.first,
    FeedbackTables.first,
    BadgeTables.first,
    PushTables.first,
    PushTables.zones,
    CampaignTables.first,
    BadgeTables.tapOrder,
    HealthTables.first,
    IssueTables.first,
    AccessTables.several,
    AccessTables.audit,
    AccessTables.people,
    TaskTables.secrets,
    AlertTables.first,
    ScrubbingTables.first,
    PrivacyTables.first,
    CrashTables.users,
    QuotaTables.first,
    MissingImages.tables,
    TerminationTables.first,
    BlobRemovalTables.first,
    PatchTables.first,
    RolloutTables.first,
    BuildTables.first,
    OpenIDTables.first,
    ServerTables.first,
    ModuleTables.first,
  ]
}

extension ServerServices {
  /// Opens all in the data folder, with all tables.
  ///
  /// - Parameters:
  ///   - uptime: Seconds of a clock that never jumps, by which requests are slowed.
  ///   - environment: Has the key of a bucket of blobs.
  ///   - patience: Seconds for which a bucket that is away is waited for.
  /// - Throws: `SQLError`, `FileError`, `GroupingRulesError`, `ServerError`.
  package init(
    _ configuration: ServerConfiguration, now: @escaping @Sendable () -> Double,
    uptime: @escaping @Sendable () -> Double = Self.uptime(), disk: DiskWork = DiskWork(),
    environment: [String: String] = ProcessInfo.processInfo.environment, patience: Double = 30
  ) throws {
    try self.init(
      configuration, tables: Schema.steps, now: now, uptime: uptime, disk: disk, environment: environment,
      patience: patience)
  }
}
