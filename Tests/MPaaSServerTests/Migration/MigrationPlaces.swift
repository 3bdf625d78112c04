import Foundation
import MPaaSDatabase
import MPaaSDatabaseTestSupport
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// The engines that rows move from and to.
enum Direction: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case intoServer = "sqlite to postgres"
  case intoFile = "postgres to sqlite"
  case betweenFiles = "sqlite to sqlite"

  /// Those whose engines are on this machine.
  static let installed: [Direction] = PostgresServer.isInstalled ? allCases : [.betweenFiles]

  var testDescription: String { rawValue }
  var from: Engine { self == .intoFile ? .postgres : .sqlite }
  var to: Engine { self == .intoServer ? .postgres : .sqlite }
}

/// A data folder with the database that its console has, and one that it is to have.
struct MigrationPlaces: Sendable {
  let folder: TemporaryFolder
  let source: String
  let target: String

  init(_ direction: Direction) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    func place(_ engine: Engine, _ file: String) throws -> String {
      engine == .sqlite ? "\(folder.path)/\(file)" : try #require(PostgresServer.shared).database()
    }
    source = try place(direction.from, "data/mpaas.sqlite")
    target = try place(direction.to, "target.sqlite")
  }

  var data: String { folder.path + "/data" }

  var configuration: ServerConfiguration {
    var configuration = ServerConfiguration(data: data, listen: "127.0.0.1:0")
    (configuration.database, configuration.migrate) = (source, target)
    return configuration
  }

  func open(_ place: String) throws -> any SQLDatabase { try DatabaseAddress(place).open() }

  /// Makes the tables of a console that belongs to the data folder, and nothing in them.
  func prepare() throws {
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    let database = try open(source)
    try database.migrate(Schema.steps)
    try DataFolderName(data).claim(database)
  }

  func migration(steps: [String] = Schema.steps, rows: Int = 2000) -> ConsoleMigration {
    ConsoleMigration(configuration, steps: steps, rows: rows)
  }

  /// The code by which a migration is refused, and the value of a name; nil where it comes to its end.
  func refusal(
    _ migration: ConsoleMigration? = nil, value: String = "file", isEnded: @escaping () -> Bool = { false }
  ) -> (code: String, value: String?, exit: Int32)? {
    do {
      _ = try (migration ?? self.migration()).run(isEnded: isEnded)
      return nil
    } catch {
      let diagnostic = (error as? any DiagnosticConvertible)?.diagnostic
      return (diagnostic?.id.name ?? "\(error)", diagnostic?.values[value], diagnostic?.exit.rawValue ?? -1)
    }
  }

  /// Takes it that both databases have the same rows, each as a text; NUL is U+2400, and there is no negative zero.
  func compareAll(_ place: SourceLocation = #_sourceLocation) throws {
    let (first, second) = (try open(source), try open(target))
    let tables = try first.tables()
    #expect(try second.tables().filter { $0 != "mpaas_schema" } == tables.filter { $0 != "mpaas_schema" })
    for table in tables where table != "mpaas_schema" {
      let (ours, theirs) = (try Self.rows(table, first), try Self.rows(table, second))
      #expect(ours.count == theirs.count, "\(table)", sourceLocation: place)
      #expect(ours == theirs, "\(table)", sourceLocation: place)
    }
  }

  static func rows(_ table: String, _ database: any SQLDatabase) throws -> [String] {
    try database.rows("SELECT * FROM \(table)") { row in
      (0..<row.count).map { "\(row.name($0))=\(text(row[$0]))" }.joined(separator: "|")
    }.sorted()
  }

  private static func text(_ value: SQLValue) -> String {
    switch value {
    case .null: "null"
    case .integer(let number): "i\(number)"
    case .real(let number): number == 0 ? "r0" : "r\(number.bitPattern)"
    case .text(let text): "t" + (text.utf8.contains(0) ? text.replacing("\0", with: "\u{2400}") : text)
    case .blob(let bytes): "b" + Data(bytes).base64EncodedString()
    }
  }

  /// The tables with rows of which some are in the target and noted there, with the numbers of both.
  func copied() throws -> [String: (noted: Int64, found: Int64)] {
    let database = try open(target)
    guard try database.hasTable("mpaas_migration_tables") else { return [:] }
    let places = try database.rows("SELECT name, copied FROM mpaas_migration_tables") { ($0.text(0), $0.integer(1)) }
    return try places.reduce(into: [:]) { all, place in
      all[place.0] = (place.1, try database.row("SELECT count(*) FROM \(place.0)") { $0.integer(0) } ?? 0)
    }
  }

  /// Puts rows of extreme values into each table, as far as its rules permit them.
  ///
  /// Long texts are in columns without an index alone: PostgreSQL has none of them in an index.
  func fill(rows: Int) throws {
    let database = try open(source)
    let indexed = try Self.indexed()
    for table in try SQLTable.all(of: Schema.steps) where table.name != "data_folder" {
      let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
      try database.begin()
      for number in 0..<rows {
        try database.mark()
        do {
          let values = table.columns.enumerated().map { place, column in
            number % 2 == 1 && number % 3 == place % 3
              ? .null
              : Self.value(column.type, number, isLong: !indexed.contains("\(table.name).\(column.name)"))
          }
          try database.run("INSERT INTO \(table.name) VALUES (\(marks))", values)
          try database.release()
        } catch {
          try database.takeBack()
        }
      }
      try database.commit()
      let count = try database.row("SELECT count(*) FROM \(table.name)") { $0.integer(0) } ?? 0
      #expect(count > 0, "\(table.name)")
    }
  }

  /// The columns that are in an index, each behind its table.
  private static func indexed() throws -> Set<String> {
    let database = try DatabaseAddress.sqlite(path: ":memory:").open()
    try database.migrate(Schema.steps)
    let names = try database.rows(
      """
      SELECT m.name, i.name FROM sqlite_schema m JOIN pragma_index_list(m.name) l JOIN pragma_index_info(l.name) i
      WHERE m.type = 'table'
      """
    ) { "\($0.text(0)).\($0.text(1))" }
    return Set(names)
  }

  private static let longText = String(repeating: "long ", count: 20_000)
  private static let shortText = String(repeating: "long ", count: 20)

  private static func value(_ type: String, _ number: Int, isLong: Bool) -> SQLValue {
    let integers: [Int64] = [1, .max, .min, 0, -1, 1 << 53 + 1, 42]
    let reals: [Double] = [
      0.1, -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -.infinity, 9_007_199_254_740_992, 1e15 + 0.3,
      Double(Int64.max),
    ]
    let texts = [
      "", "NUL \0 in it", "支付 😀 é", isLong ? longText : shortText, #"quo'te " \ ?1"#, "\u{fffd}", "␀",
    ]
    switch type {
    case "INTEGER": return .integer(number < integers.count ? integers[number] : Int64(number) << 40)
    case "REAL": return .real(reals[number % reals.count])
    case "TEXT": return .text(texts[number % texts.count] + "\(number)")
    default: return .blob([UInt8](repeating: UInt8(number & 255), count: number % 5 == 0 ? 3000 : number % 5))
    }
  }
}
