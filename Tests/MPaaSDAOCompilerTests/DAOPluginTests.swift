import Foundation
import MPaaSTestSupport
import Testing

/// Builds a small package with the plug-in.
@Suite("The plug-in DAO") struct DAOPluginTests {
  private static let parts = """
    .target(name: "CAtomicWord"), part("MPaaSLock", ["CAtomicWord"]), part("MPaaSTime"),
        part("MPaaSBase", ["MPaaSLock"]), part("MPaaSSupport", ["MPaaSBase", "MPaaSLock"]),
        .target(name: "CSQLite", linkerSettings: [archive("sqlite3"), .linkedLibrary("m")]),
        part("MPaaSSQLite", ["CSQLite", "MPaaSSupport", "MPaaSTime"]),
        part(
          "MPaaSDAORuntime", ["CSQLite", "MPaaSSQLite", "MPaaSLock", "MPaaSSupport", "MPaaSTime"],
          exclude: ["PrivacyInfo.xcprivacy"]),
    """

  private static let source = """
    import MPaaSDAORuntime

    struct Note { var id: Int; var text: String; var stars: Double? }

    @main struct Main {
      static func main() throws {
        let notes = try Notes(databasePath: CommandLine.arguments[1])
        let changes = try notes.add(note: Note(id: 7, text: "it's", stars: nil))
        try notes.addAll(notes: [Note(id: 8, text: "b", stars: 2.5), Note(id: 9, text: "c", stars: nil)])
        let found: [Note] = try notes.find(word: nil)
        print(changes.rows, changes.lastRowID ?? 0, found.map(\\.id), found[1].stars ?? 0, try notes.count() ?? 0)
        for label in try notes.labels(id: 9) { print(label.name ?? "", label.length == 1) }
        print(try notes.forTable("others").count() ?? -1, notes.allMethods.count)
      }
    }
    """

  private static let document = """
    <module name="Notes" initializer="make" tableName="notes">
    <update id="make">create table if not exists ${T} (id integer primary key, text text not null, stars real)</update>
    <insert id="add" arguments="$note" types="note: Note">insert into ${T} values (%{'#{note.*}', id, text, stars})</insert>
    <insert id="addAll" arguments="notes" foreach="notes.note" types="notes: [Note]">insert into ${T} values (%{'#{note.*}', id, text, stars})</insert>
    <select id="find" arguments="word" result="[Note]">select * from ${T} <where><if true="word != nil">text like '%@{word}%'</if></where> order by id</select>
    <select id="labels" arguments="id" result="[Label]">select text as name, length(text) as length from ${T} where id = #{id}</select>
    <select id="count" result="int">select count(*) from ${T}</select>
    </module>
    """

  @Test(
    "a package gets classes of its documents, builds again without them where nothing changed, and is told of a fault",
    .tool("swift"))
  func build() async throws {
    let package = try PluginPackage(
      plugin: "DAO", tool: ("DAOTool", "mpaas-dao-compile"), library: "MPaaSDAORuntime", parts: Self.parts,
      target: "Notes", files: ["Main.swift": Self.source, "notes.xml": Self.document])
    let first = try await package.build()
    #expect(first.status == 0, "\(first.output)\(first.errors)")
    let run = try package.run("Notes", [package.path("notes.db")])
    #expect(run.output == "1 7 [7, 8, 9] 2.5 3\nc true\n0 6\n", "\(run.output)\(run.errors)")
    let second = try await package.build()
    #expect(second.status == 0, "\(second.output)")
    #expect(!second.output.contains("DAO of Notes"), "\(second.output)")
    let broken = Self.document.replacing("select count(*)", with: "select cuont(*)")
    try package.write(broken, to: "notes.xml", of: "Notes")
    let refused = try await package.build()
    let all = refused.output + refused.errors
    #expect(refused.status != 0)
    #expect(
      all.contains("Sources/Notes/notes.xml:7:1: error: SQLite refuses the statement: no such function: cuont"),
      "\(all)")
  }
}
