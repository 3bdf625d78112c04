import Foundation
import MPaaSTestSupport
import Testing

/// Builds a small package with the plug-in, from the parts of this checkout that it needs: no network is asked for.
@Suite("The plug-in DAO") struct DAOPluginTests {
  /// The kit's parts as a package of their own, and a program that uses them.
  private static func write(to folder: TemporaryFolder) throws {
    func write(_ text: String, _ path: String) throws {
      let url = folder.url.appending(path: path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    try write(kit, "kit/Package.swift")
    for part in ["Sources", "plugins"] {
      try FileManager.default.createSymbolicLink(
        at: folder.url.appending(path: "kit/\(part)"), withDestinationURL: Fixture.package.appending(path: part))
    }
    try write(manifest, "app/Package.swift")
    try write(source, "app/Sources/Notes/Main.swift")
    try write(document, "app/Sources/Notes/notes.xml")
  }

  private static let kit = """
    // swift-tools-version: 6.1
    import PackageDescription
    let settings: [SwiftSetting] = [
      .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
    ]
    func part(_ name: String, _ needs: [Target.Dependency] = [], _ linker: [LinkerSetting] = []) -> Target {
      .target(
        name: name, dependencies: needs, exclude: ["MPaaSDAO", "MPaaSDAORuntime"].contains(name) ? ["PrivacyInfo.xcprivacy"] : [],
        swiftSettings: settings, linkerSettings: linker)
    }
    func archive(_ name: String) -> LinkerSetting { .linkedLibrary(":lib\\(name).a", .when(platforms: [.linux])) }
    let package = Package(
      name: "mpaaskit", platforms: [.macOS(.v15)],
      products: [
        .library(name: "MPaaSDAORuntime", targets: ["MPaaSDAORuntime"]), .plugin(name: "DAO", targets: ["DAO"]),
      ],
      targets: [
        .target(name: "CAtomicWord"), part("MPaaSLock", ["CAtomicWord"]), part("MPaaSTime"),
        part("MPaaSBase", ["MPaaSLock"]), part("MPaaSSupport", ["MPaaSBase", "MPaaSLock"]),
        .target(name: "CSQLite", linkerSettings: [archive("sqlite3"), .linkedLibrary("m")]),
        part("MPaaSSQLite", ["CSQLite", "MPaaSSupport", "MPaaSTime"]),
        part("MPaaSDAORuntime", ["CSQLite", "MPaaSSQLite", "MPaaSLock", "MPaaSSupport", "MPaaSTime"]),
        .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
        part("MPaaSDAO", ["CExpat", "CSQLite", "MPaaSDAORuntime", "MPaaSSQLite", "MPaaSSupport"], [archive("expat")]),
        part("MPaaSDeclarations"), part("MPaaSDAOCompiler", ["MPaaSDAO", "MPaaSDeclarations", "MPaaSSupport"]),
        .executableTarget(
          name: "DAOTool", dependencies: ["MPaaSDAOCompiler", "MPaaSDeclarations", "MPaaSSupport"],
          swiftSettings: settings),
        .plugin(name: "DAO", capability: .buildTool(), dependencies: ["DAOTool"], path: "plugins/DAO"),
      ])
    """

  private static let manifest = """
    // swift-tools-version: 6.1
    import PackageDescription
    let package = Package(
      name: "notes", platforms: [.macOS(.v15)], dependencies: [.package(name: "mpaaskit", path: "../kit")],
      targets: [
        .executableTarget(
          name: "Notes", dependencies: [.product(name: "MPaaSDAORuntime", package: "mpaaskit")],
          exclude: ["notes.xml"], plugins: [.plugin(name: "DAO", package: "mpaaskit")])
      ])
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
  func build() throws {
    let folder = try TemporaryFolder()
    try Self.write(to: folder)
    let app = folder.url.appending(path: "app")
    func build() throws -> Command.Outcome {
      try Command.run(
        "swift", ["build", "--scratch-path", folder.path + "/build", "--disable-sandbox"], directory: app)
    }
    let first = try build()
    #expect(first.status == 0, "\(first.output)\(first.errors)")
    let run = try Command.run(folder.path + "/build/debug/Notes", [folder.path + "/notes.db"])
    #expect(run.output == "1 7 [7, 8, 9] 2.5 3\nc true\n0 6\n", "\(run.output)\(run.errors)")
    // The tool may be linked once more, since it is built for plug-ins and among the products.
    _ = try build()
    let third = try build()
    #expect(third.status == 0, "\(third.output)")
    #expect(!third.output.contains("DAO of Notes"), "\(third.output)")
    let broken = Self.document.replacing("select count(*)", with: "select cuont(*)")
    try Data(broken.utf8).write(to: app.appending(path: "Sources/Notes/notes.xml"))
    let refused = try build()
    let all = refused.output + refused.errors
    #expect(refused.status != 0)
    #expect(
      all.contains("Sources/Notes/notes.xml:7:1: error: SQLite refuses the statement: no such function: cuont"),
      "\(all)")
  }
}
