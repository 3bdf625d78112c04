import Foundation
import MPaaSPinyin
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// Reads records of a text as the options have it.
func records(
  _ text: String, _ format: RecordFormat, change: (inout RecordOptions) -> Void = { _ in }
) throws(PinyinError) -> SearchRecords {
  var options = RecordOptions(format: format)
  change(&options)
  return try SearchRecords(Bytes(text.utf8), options: options, file: "data")
}

/// The error of reading; nil where it did not.
func fault(_ body: () throws(PinyinError) -> SearchRecords) -> PinyinError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

@Suite("The records of a search") struct SearchRecordsTests {
  @Test("a line is a record, with or without a break behind the last, LF or CRLF; empty lines count")
  func lines() throws {
    #expect(try records("张三\r\n\n李四", .lines).texts == ["张三", "", "李四"])
    #expect(try records("张三\n李四\n", .lines).texts == ["张三", "李四"])
    #expect(try records("", .lines).isEmpty)
    #expect(try records("\u{feff}张三\n", .lines).texts == ["张三"])
    #expect(try records("a\rb\r\n", .lines).texts == ["a\rb"])
  }

  @Test("the format follows the file's name")
  func formats() {
    let names = ["a.csv", "b/c.TSV", "d.tab", "e.json", "f.ndjson", "g.jsonl", "h.txt", "csv", "x.csv/y"]
    #expect(
      names.map { RecordFormat(suffixOf: $0) } == [.csv, .tsv, .tsv, .json, .jsonl, .jsonl, .lines, .lines, .lines])
  }

  @Test("CSV fields are quoted as RFC 4180 has it, and the record stands as it does in the file")
  func csv() throws {
    let text = "名,公司\r\n\"张,三\",\"一\"\"二\"\"\"\r\n李四\r\n\"王\r\n五\",x\"y\r\n"
    let found = try records(text, .csv) {
      $0.column = .named("名")
      $0.secondaryColumn = .named("公司")
    }
    #expect(found.texts == ["张,三", "李四", "王\r\n五"])
    #expect(found.secondaryTexts == ["一\"二\"", "", "x\"y"])
    #expect(found.record(0) == "\"张,三\",\"一\"\"二\"\"\"")
    #expect(found.lineNumbers() == [2, 3, 4])
    #expect(found.columns == ["名", "公司"])
  }

  @Test("columns have names where the first row has, and numbers; other delimiters are a matter of options")
  func columns() throws {
    #expect(try records("a,b\nc,d\n", .csv).texts == ["a", "c"])
    #expect(try records("a,b\nc,d\n", .csv) { $0.column = .number(2) }.texts == ["b", "d"])
    let headed = try records("a,b\nc,d\n", .csv) {
      $0.column = .number(2)
      $0.hasHeader = true
    }
    #expect(headed.texts == ["d"])
    let semicolons = try records("a;b\nc;d\n", .csv) {
      $0.column = .named("b")
      $0.delimiter = UInt8(ascii: ";")
    }
    #expect(semicolons.texts == ["d"])
    #expect(try records("a\t\"b\nc\td\n", .tsv) { $0.column = .number(2) }.texts == ["\"b", "d"])
    #expect(RecordColumn("2") == .number(2))
    #expect(RecordColumn("0") == .named("0"))
    #expect(RecordColumn("x") == .named("x"))
  }

  @Test("a column that is not there is named, with those that are, and the nearest")
  func missingColumn() {
    let near = fault { () throws(PinyinError) in try records("name,phone\n", .csv) { $0.column = .named("nmae") } }
    #expect(near?.code == .recordsColumnNear)
    #expect(near?.values["suggestion"] == "name")
    let far = fault { () throws(PinyinError) in try records("name,phone\n", .csv) { $0.column = .named("公司") } }
    #expect(far?.code == .recordsColumn)
    #expect(far?.values["columns"] == "name, phone")
    let number = fault { () throws(PinyinError) in try records("a,b\n", .csv) { $0.column = .number(3) } }
    #expect(number?.code == .recordsColumn)
    #expect(number?.values["columns"] == "1–2")
  }

  @Test("a quoted field that does not end, or goes on behind its end, is refused with its place")
  func quotes() {
    let open = fault { () throws(PinyinError) in try records("a\nb,\"c\nd", .csv) }
    #expect(open?.code == .recordsQuote)
    #expect(open?.diagnostic.place == .text(file: "data", line: 2, column: 3))
    let behind = fault { () throws(PinyinError) in try records("\"a\"b\n", .csv) }
    #expect(behind?.diagnostic.place == .text(file: "data", line: 1, column: 4))
  }

  @Test("bytes that are not UTF-8 are refused with their offset, or replaced")
  func invalid() throws {
    let bytes = Bytes(Array("张三\n李".utf8) + [0xff, 0x0a])
    let error = fault { () throws(PinyinError) in
      try SearchRecords(bytes, options: RecordOptions(), file: "data")
    }
    #expect(error?.code == .recordsNotUTF8)
    #expect(error?.values["offset"] == "10")
    var options = RecordOptions()
    options.isLossy = true
    #expect(try SearchRecords(bytes, options: options, file: "data").texts == ["张三", "李\u{fffd}"])
  }

  @Test("the check of UTF-8 agrees with the standard library on any bytes")
  func check() {
    var random = SeededRandom(seed: 4)
    let pieces: [[UInt8]] = [
      [0x61], Array("张".utf8), Array("𠮷".utf8), Array("é".utf8), [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80],
      [0xe0, 0x80, 0x80], [0xc0, 0xaf], [0xf0, 0x8f, 0xbf, 0xbf], [0x80], [0xe5, 0xbc], [0xf0, 0xa0], [0xff],
      Array("abcdefghijk".utf8),
    ]
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      let bytes = (0..<Int.random(in: 0...6, using: &random)).flatMap { _ in
        pieces[random.next() % 3 == 0 ? Int.random(in: 0..<pieces.count, using: &random) : 1]
      }
      let fault = bytes.withUnsafeBytes { UTF8Check.firstFault(in: $0) }
      #expect((fault == nil) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
      if let fault { #expect(String(validating: bytes[..<fault], as: UTF8.self) != nil, "\(bytes)") }
    }
  }

  @Test("what a writer of CSV wrote is read back, whatever the fields hold")
  func roundTrip() throws {
    var random = SeededRandom(seed: 5)
    let pieces = ["张", "\"", ",", "\n", "\r\n", "a", " ", "", "😀"]
    for _ in 0..<SeededRandom.rounds(or: 300) {
      let rows = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        (0..<2).map { _ in
          (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
      }
      let text = rows.map { row in
        row.map { "\"\($0.replacingOccurrences(of: "\"", with: "\"\""))\"" }.joined(separator: ",")
      }.joined(separator: "\r\n")
      let found = try records(text, .csv) { $0.secondaryColumn = .number(2) }
      #expect(found.texts.map { Array($0.utf8) } == rows.map { Array($0[0].utf8) }, "\(text)")
      #expect(found.secondaryTexts?.map { Array($0.utf8) } == rows.map { Array($0[1].utf8) }, "\(text)")
    }
  }

  @Test("any bytes are read or refused, in every format, and every text can be had", arguments: RecordFormat.allCases)
  func fuzz(format: RecordFormat) throws {
    var random = SeededRandom(seed: 6)
    let alphabet = Array("\"\",\t\r\n{}[]:ab张\\u0-1null".utf8) + [0xff, 0x00]
    for _ in 0..<SeededRandom.rounds(or: 1500) {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      var options = RecordOptions(format: format)
      options.isLossy = random.next() % 2 == 0
      if format.hasColumns { options.secondaryColumn = .number(Int.random(in: 1...3, using: &random)) }
      if format.hasPaths { options.path = random.next() % 2 == 0 ? nil : try RecordPath(parsing: ".a") }
      guard let found = try? SearchRecords(Bytes(bytes), options: options, file: "data") else { continue }
      #expect(found.texts.count == found.count)
      #expect(found.lineNumbers().count == found.count)
      for index in 0..<found.count { _ = (found.record(index), found.secondaryText(index)) }
    }
  }
}
