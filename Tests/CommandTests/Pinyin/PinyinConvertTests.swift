import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas pinyin convert") struct PinyinConvertTests {
  private func convert(_ arguments: String..., input: String? = nil) throws -> Command.Outcome {
    try mpaas(["pinyin", "convert"] + arguments, input: input)
  }

  /// Runs the command on bytes that are no text.
  private func convert(bytes: [UInt8], _ arguments: String...) throws -> Command.Outcome {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "input")
    try Data(bytes).write(to: file)
    return try mpaas(["pinyin", "convert", "--file", file.path] + arguments)
  }

  @Test("each argument gives a line, text that is not Chinese stays")
  func arguments() throws {
    let outcome = try convert("我love你2024年", "plain")
    #expect(outcome.status == 0)
    #expect(outcome.output == "wǒ love nǐ 2024 nián\nplain\n")
    #expect(outcome.errors.isEmpty)
  }

  @Test(
    "every style can be asked for",
    arguments: [
      ("marks", "lǚ"), ("digits", "lv3"), ("inner-digits", "lv3"), ("none", "lv"), ("initials", "l"), ("letters", "l"),
      ("finals", "v"), ("passport", "LYU"), ("zhuyin", "ㄌㄩˇ"), ("wade-giles", "lü³"),
    ])
  func styles(style: String, expected: String) throws {
    #expect(try convert("--style", style, "吕").output == expected + "\n")
  }

  @Test("options reach the converter")
  func options() throws {
    #expect(try convert("--umlaut", "yu", "--style", "none", "女").output == "nyu\n")
    #expect(try convert("--sandhi", "不是").output == "bú shì\n")
    #expect(try convert("--erhua", "花儿").output == "huār\n")
    #expect(try convert("--separator", "-", "--style", "none", "我去").output == "wo-qu\n")
    #expect(try convert("--kind", "name", "--style", "passport", "吕不韦").output == "LYU BUWEI\n")
    #expect(try convert("--kind", "place", "--words", "--capitalize", "西安").output == "Xī'ān\n")
    #expect(try convert("--all", "好").output == "hǎo/hào\n")
    #expect(try convert("--engine", "dictionary", "--style", "digits", "我").output == "wo3\n")
    #expect(try convert("--rare", "--style", "digits", "好").output.hasPrefix("hao3/hao4\n"))
  }

  @Test("lines of a pipe give JSON objects that scripts rely on")
  func jsonLines() throws {
    let outcome = try convert("--style", "digits", "--json", input: "女的\n\na我\r\n吕")
    #expect(outcome.status == 0)
    let lines = try outcome.output.split(separator: "\n").map { try json(String($0)) }
    #expect(lines.map { $0["text"] as? String } == ["女的", "", "a我", "吕"])
    let syllables = try #require(lines[0]["syllables"] as? [[String: Any]])
    #expect(syllables.map { $0["text"] as? String } == ["女", "的"])
    #expect(syllables.map { $0["pinyin"] as? String } == ["nv3", "de5"])
    let third = try #require((lines[2]["syllables"] as? [[String: Any]])?.first)
    #expect(third["range"] as? [Int] == [1, 1])
    #expect(third["utf16"] as? [Int] == [1, 1])
    #expect(third["word"] as? Int == 0)
    #expect(third["confidence"] as? Double == 1)
    let all = try json(try convert("--json", "--all", "--style", "digits", "好").output)
    #expect((all["syllables"] as? [[String: Any]])?.first?["readings"] as? [String] == ["hao3", "hao4"])
  }

  @Test("files are converted one after another, line ends as they are")
  func files() throws {
    let folder = try TemporaryFolder()
    let paths = try ["我\r\n去", "女\n"].enumerated().map { number, text in
      let file = folder.url.appending(path: "\(number)")
      try Data(text.utf8).write(to: file)
      return file.path
    }
    #expect(try convert("--file", paths[0], paths[1]).output == "wǒ\r\nqùnǚ\n")
    #expect(try convert("--file", "-", input: "我\n").output == "wǒ\n")
    let missing = try convert("--file", folder.path + "/none")
    #expect(missing.status == 66)
    #expect(missing.errors.contains("/none"))
  }

  @Test("bytes that are no UTF-8 are named by their offset, and what stood before is there")
  func invalid() throws {
    let bytes = Array("我\n去".utf8) + [0xFF] + Array("女".utf8)
    let outcome = try convert(bytes: bytes)
    #expect(outcome.status == 65)
    #expect(outcome.output == "wǒ\nqù")
    #expect(outcome.errors.contains("byte 0xff at offset 7"))
    #expect(outcome.errors.contains("--lossy"))
    #expect(outcome.errors.contains("pinyin-invalid-utf8"))
    let lossy = try convert(bytes: bytes, "--lossy")
    #expect(lossy.status == 0)
    #expect(lossy.output == "wǒ\nqù\u{FFFD}nǚ")
    let object = try convert(bytes: bytes, "--json")
    #expect(object.status == 65)
    #expect(try json(object.output)["text"] as? String == "我")
    let error = try #require(try json(object.errors)["error"] as? [String: Any])
    #expect(error["code"] as? String == "pinyin-invalid-utf8")
    #expect(try convert(bytes: Array("我".utf8.dropLast())).errors.contains("offset 0"))
  }

  @Test("whoever writes a line and waits is answered before the input ends")
  func answersAtOnce() throws {
    let process = Process()
    process.executableURL = Command.mpaas
    process.arguments = ["pinyin", "convert", "--style", "digits", "--json"]
    let input = Pipe(), output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try withNoSignalsBlocked { try process.run() }
    defer { process.waitUntilExit() }
    for text in ["我", "女"] {
      try input.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8))
      // Blocks until there is an answer.
      let answer = output.fileHandleForReading.availableData
      #expect(String(decoding: answer, as: UTF8.self).hasPrefix("{\"text\":\"\(text)\""))
    }
    try input.fileHandleForWriting.close()
    #expect(output.fileHandleForReading.availableData.isEmpty)
  }

  @Test("on a terminal it prints the same", .tool("script"))
  func terminal() throws {
    let outcome = try Pty.run("mpaas", ["pinyin", "convert", "我去"], environment: ["LC_ALL": "C.UTF-8"])
    #expect(outcome.status == 0)
    #expect(outcome.output == "wǒ qù\r\n")
  }

  @Test("a line of many megabytes goes through")
  func longLine() throws {
    let count = 300_000
    let outcome = try convert(
      "--engine", "dictionary", "--style", "letters", "--separator", "", input: String(repeating: "我a", count: count))
    #expect(outcome.status == 0)
    #expect(outcome.output == String(repeating: "wa", count: count))
  }

  @Test("wrong values of options are wrong usage, with what can be chosen")
  func usage() throws {
    let outcome = try convert("--style", "mark", "我")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("'marks', 'digits'"))
    #expect(outcome.errors.contains("did you mean 'marks'?"))
    #expect(try convert("--umlaut", "w", "我").status == 64)
  }
}
