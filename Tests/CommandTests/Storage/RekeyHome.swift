import Foundation
import MPaaSTestSupport
import Testing

/// A folder with a database, the document of its table, and the files of keys.
struct RekeyHome {
  private static let document = """
    <module name="Rows" initializer="make" tableName="t">
    <update id="make">create table if not exists ${T} (id integer primary key, v text)</update>
    <insert id="fill" arguments="count">with recursive n(i) as (select 1 union all select i + 1 from n where i &lt; #{count})
      insert into ${T} select i, 'a secret of row ' || i from n</insert>
    <insert id="add" arguments="id">insert into ${T} values (#{id}, 'a secret of row ' || #{id})</insert>
    <select id="sum" result="string">select count(*) || ' ' || sum(id * length(v)) from ${T}</select>
    <select id="has" arguments="from, to" result="int">select count(*) from ${T} where id &gt;= #{from} and id &lt; #{to}</select>
    <select id="check" result="string">pragma integrity_check</select>
    </module>
    """

  let folder: TemporaryFolder
  var path: String { folder.path + "/app.sqlite" }

  /// Makes a database with so many rows; a plain one without a key.
  init(rows: Int, key: String? = nil) throws {
    folder = try TemporaryFolder()
    try Data(Self.document.utf8).write(to: folder.url.appending(path: "rows.xml"))
    for (number, name) in ["one", "two", "wrong"].enumerated() {
      try Data(repeating: UInt8(number + 1), count: 32).write(to: folder.url.appending(path: name))
    }
    let outcome = try run(#"{"method":"fill","args":[\#(rows)]}"#, key: key)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  static func options(_ key: String?, _ option: String = "--key-file") -> [String] { key.map { [option, $0] } ?? [] }

  func run(_ calls: String, key: String?) throws -> Command.Outcome {
    try Command.run(
      "mpaas", ["dao", "run", "rows.xml", "--database", path, "--json"] + Self.options(key), input: calls,
      directory: folder.url)
  }

  func rekey(_ key: String?, to new: String?) throws -> Command.Outcome {
    let end = new == nil ? ["--unencrypted"] : Self.options(new, "--new-key-file")
    return try Command.run(
      "mpaas", ["storage", "rekey", path] + Self.options(key) + end, directory: folder.url)
  }

  /// The sum of a whole database; the identifier of the error where the key does not open it.
  func content(_ key: String?) throws -> String {
    let outcome = try run("{\"method\":\"sum\"}\n{\"method\":\"check\"}\n", key: key)
    guard outcome.status == 0 else {
      return outcome.errors.firstMatch(of: /dao-[a-z-]+/).map { String($0.output) } ?? ""
    }
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.last == #"{"ok":true,"result":"ok"}"#, "\(outcome.output)")
    return String(lines.first ?? "")
  }

  /// True while the header names a former key.
  var isChanging: Bool { start.last == 1 }

  /// The magic and the flags of the file, as they are now.
  private var start: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 10)
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    return pread(descriptor, &bytes, 10, 0) == 10 && bytes.starts(with: Array("MPDB1".utf8)) ? bytes : []
  }

  func start(_ arguments: [String], output: String? = nil) throws -> Process {
    let process = Process()
    process.executableURL = Command.mpaas
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.standardOutput =
      try output.map { name in
        try Data().write(to: folder.url.appending(path: name))
        return try FileHandle(forWritingTo: folder.url.appending(path: name))
      } ?? FileHandle.nullDevice
    try withNoSignalsBlocked { try process.run() }
    return process
  }
}
