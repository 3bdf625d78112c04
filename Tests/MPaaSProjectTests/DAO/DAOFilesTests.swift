import MPaaSDeclarations
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Files of DAO documents") struct DAOFilesTests {
  private static func documents(_ classes: [String]) throws -> [DAODocument] {
    let text = classes.map { "final class \($0) {\n  var userID: Int = 0\n  var name: String = \"\"\n}\n" }.joined()
    let types = DeclarationScanner.scan(Array(text.utf8), file: "a.swift", language: .swift)
    return try DAOTables([("a.swift", types)], classes: [], table: nil).tables.map(DAODocument.init)
  }

  private func write(
    _ documents: [DAODocument], to output: String?, _ memory: MemoryFiles, replacesEdited: Bool = false
  ) throws -> [String?] {
    try DAOFiles(to: output, replacesEdited: replacesEdited, files: memory.client).write(documents)
  }

  @Test("one document goes into the named file or into a folder; several need a folder")
  func paths() throws {
    let one = try Self.documents(["User"])
    let two = try Self.documents(["User", "Item"])
    #expect(try write(one, to: nil, MemoryFiles()) == [nil])
    #expect(try write(one, to: "-", MemoryFiles()) == [nil])
    #expect(try write(one, to: "user.xml", MemoryFiles()) == ["user.xml"])
    #expect(try write(one, to: "dao/", MemoryFiles()) == ["dao/UserDAO.xml"])
    #expect(try write(one, to: "dao", MemoryFiles(folders: ["dao"])) == ["dao/UserDAO.xml"])
    let memory = MemoryFiles()
    let paths = try write(two, to: "dao", memory)
    #expect(paths.count == 2)
    #expect(Set(paths) == ["dao/UserDAO.xml", "dao/ItemDAO.xml"])
    #expect(memory.folders == ["dao"])
    #expect(memory.texts["dao/UserDAO.xml"] == two.first { $0.table.className == "User" }?.xml)
  }

  @Test("all are written or none: a file that was edited stays, unless it is to be replaced, too")
  func edited() throws {
    let documents = try Self.documents(["User", "Item"])
    let memory = MemoryFiles(["dao/ItemDAO.xml": "<!-- mine -->\n"])
    let error = GenerationError(.daoExists, ["path": "dao/ItemDAO.xml"], at: .file("dao/ItemDAO.xml"))
    #expect(throws: error) { try write(documents, to: "dao", memory) }
    #expect(memory.texts == ["dao/ItemDAO.xml": "<!-- mine -->\n"])
    _ = try write(documents, to: "dao", memory, replacesEdited: true)
    #expect(memory.texts.count == 2)
    // Files that were written here are written over.
    #expect(try write(documents, to: "dao", memory).count == 2)
  }
}
