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
  ]
}
