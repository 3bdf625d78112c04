/// The events while modules are brought and a project is put into step.
package enum SyncEvent: Sendable {
  /// Another process works on the project, and is waited for.
  case waiting
  /// Indexes come.
  case indexes(fetched: Int, of: Int)
  /// Archives are to come: how many, and bytes in all.
  case downloading(count: Int, bytes: UInt64)
  case archive(ArchiveProgress)
  case downloaded
  case unpacked(name: String, version: ModuleVersion)
  case placed(name: String, version: ModuleVersion)
}
