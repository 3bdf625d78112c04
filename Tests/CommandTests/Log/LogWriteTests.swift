import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas log write, verify and decrypt") struct LogWriteTests {
  let home: TemporaryFolder
  var folder: String { home.path + "/logs" }

  init() throws {
    home = try TemporaryFolder()
  }

  func log(_ arguments: String..., input: String? = nil) throws -> Command.Outcome {
    try mpaas(["log"] + arguments, home: home, environment: ["MPAAS_LOG_FOLDER": folder], input: input)
  }

  func files() throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    return names.filter { $0.hasSuffix(".mplog") }.map { "\(folder)/\($0)" }
  }

  @Test("what is written by arguments, lines and JSON lines is read back, encrypted for a key of the store")
  func roundTrip() throws {
    #expect(try mpaas("key", "generate", "--name", "team", "--type", "age", "--unencrypted", home: home).status == 0)
    let first = try log(
      "write", "--recipient", "team", "--tag", "Cart", "--level", "error", "--field", "code=404", "zero 0", "one 一",
      "--json")
    #expect(first.status == 0)
    #expect(try json(first.output)["records"] as? Int == 2)
    #expect(try log("write", "--recipient", "team", input: "two\n\nthree\n").status == 0)
    let lines = #"{"message":"four","level":"warn","tag":"J","paid":true}"# + "\n"
    #expect(try log("write", "--recipient", "team", "--json-lines", input: lines).status == 0)

    let read = try log("decrypt", folder, "--json")
    let records = try read.output.split(separator: "\n").map { try json(String($0)) }
    #expect(read.status == 0)
    #expect(records.map { $0["message"] as? String } == ["zero 0", "one 一", "two", "", "three", "four"])
    #expect(records.map { $0["sequence"] as? Int } == [1, 2, 3, 4, 5, 6])
    #expect((records[0]["fields"] as? [String: Any])?["code"] as? Int == 404)
    #expect((records[5]["fields"] as? [String: Any])?["paid"] as? Bool == true)
    #expect(records[0]["level"] as? String == "ERROR")
    #expect(records[5]["level"] as? String == "WARN")

    let stranger = try mpaas("log", "decrypt", folder, "--output", home.path + "/out.txt")
    #expect(stranger.status == 77)
    #expect(!FileManager.default.fileExists(atPath: home.path + "/out.txt"))
    #expect(try log("decrypt", folder, "--output", home.path + "/out.txt").status == 0)
    #expect(try String(contentsOfFile: home.path + "/out.txt", encoding: .utf8).contains("ERROR Cart ["))
  }

  @Test("verify says of a flipped byte and of a torn end where they are, with exit status 1")
  func damage() throws {
    for number in 0..<3 { #expect(try log("write", "record \(number)").status == 0) }
    let path = try #require(try files().first)
    let whole = try log("verify", folder, "--json")
    let file = try #require((try json(whole.output)["files"] as? [[String: Any]])?.first)
    #expect(whole.status == 0)
    #expect(file["records"] as? Int == 3)
    #expect(file["parts"] as? Int == 3)

    var bytes = try Data(contentsOf: URL(filePath: path))
    let size = bytes.count
    try bytes.dropLast(1).write(to: URL(filePath: path))
    let torn = try json(try log("verify", path, "--json").output)
    let gap = try #require(((torn["files"] as? [[String: Any]])?.first?["gaps"] as? [[String: Any]])?.first)
    #expect(gap["to"] as? Int == size - 1)
    #expect(gap["reason"] as? String == "torn")
    #expect(torn["whole"] as? Bool == false)

    bytes[300] ^= 1
    try bytes.write(to: URL(filePath: path))
    let flipped = try log("verify", path)
    #expect(flipped.status == 1)
    #expect(flipped.output.contains("bytes "))
    // Reading says so too, gives all other blocks, and ends with a status of its own.
    let rest = try log("cat", path)
    #expect(rest.status == 65)
    #expect(rest.output.contains("record 2"))
    #expect(rest.errors.contains("bytes "))
    try Data("text\n".utf8).write(to: URL(filePath: path))
    #expect(try log("verify", path).status == 65)
  }

  @Test("what is malformed is refused: no folder, a type that is a path, a field without a value, a line without JSON")
  func refused() throws {
    #expect(try mpaas("log", "write", "x").status == 64)
    #expect(try log("write", "--type", "../x", "x").status == 64)
    #expect(try log("write", "--field", "x", "x").status == 64)
    let line = try log("write", "--json-lines", input: "{}\nx\n")
    #expect(line.status == 65)
    #expect(line.errors.contains("Line 2"))
  }
}
