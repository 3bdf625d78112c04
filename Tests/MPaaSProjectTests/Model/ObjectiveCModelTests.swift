import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Models as Objective-C") struct ObjectiveCModelTests {
  private func writer(_ bytes: [UInt8]) throws -> ObjectiveCModelWriter {
    let set = try SwiftAPIWriter(Scaffold(bytes, file: "a"), file: "a", options: .init(name: "library")).modelSet
    return ObjectiveCModelWriter(set, .init(prefix: "LIB", file: "Library"))
  }

  private func write(_ text: String, _ name: String, to folder: TemporaryFolder) throws -> String {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
    return folder.path + "/" + name
  }

  @Test("clang takes them with reference counting and without a warning", .tool("clang"))
  func arc() throws {
    let folder = try TemporaryFolder()
    for bytes in [try exampleScaffold(), Array(SwiftAPIWriterTests.sample.utf8)] {
      let writer = try writer(bytes)
      _ = try write(writer.header, "Library.h", to: folder)
      let path = try write(writer.implementation, "Library.m", to: folder)
      let headers = Fixture.package.appending(path: "Tests/GeneratedCode").path
      let outcome = try Command.run(
        "clang",
        [
          "-target", "x86_64-apple-macos15", "-nostdinc", "-fsyntax-only", "-fobjc-arc", "-Wall", "-Wextra",
          "-Wno-unused-parameter", "-Werror", "-I", headers, path,
        ])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test("names that Objective-C has for itself are avoided")
  func names() throws {
    #expect(ObjectiveCSpelling.property("id") == "identifier")
    #expect(ObjectiveCSpelling.property("class") == "classValue")
    #expect(ObjectiveCSpelling.property("newTitle") == "theNewTitle")
    #expect(ObjectiveCSpelling.property("news") == "news")
    #expect(ObjectiveCSpelling.literal("a\"\\\né?") == "@\"a\\\"\\\\\\n\\303\\251\\?\"")
    let header = try writer(Array(SwiftAPIWriterTests.sample.utf8)).header
    #expect(header.contains("@property (nonatomic, copy) LIBOdClass classValue;"))
  }

  @Test("under GNUstep they read what is right, refuse what is wrong with its path, and write it again", .gnustep)
  func roundTrip() throws {
    let program = try GNUstepProgram(try writer(exampleScaffold()), type: "LIBBook")
    let book = #"{"id": 7, "title": "é", "rating": 4.5, "is_lent": true, "pages": 300, "tags": ["a", "b"],"#
    let whole = book + #" "sequel": {"id": 8, "title": "x"}, "extra": {"a": [null, {}]}, "note": 1}"#
    #expect(try program.run(whole) == "same")
    #expect(try program.run(#"{"id": 7, "title": "x", "author": null}"#) == "differs")
    #expect(try program.run(#"{"id": 7.5, "title": "x"}"#) == "/id: must be an integer")
    #expect(try program.run(#"{"id": true, "title": "x"}"#) == "/id: must be an integer")
    #expect(try program.run(#"{"id": 7}"#) == "/: must have a member \"title\"")
    #expect(try program.run(book + #""sequel": {"id": 8, "title": 9}}"#) == "/sequel/title: must be a string")
    #expect(try program.run(#"{"id": 7, "title": "x", "tags": ["a", 1]}"#) == "/tags/1: must be a string")
    #expect(try program.run("[]") == "/: must be an object")
  }

  @Test("every quicktype sample that its schema allows comes back the same under GNUstep", .gnustep, .fixtures)
  func quicktype() throws {
    let folder = try Fixture.path("project/quicktype/schema")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    var failures: [String] = []
    for schema in names where schema.hasSuffix(".schema") {
      let stem = String(schema.dropLast(".schema".count))
      let samples = names.filter { $0.hasPrefix(stem + ".") && $0.hasSuffix(".json") && !$0.contains("fail") }
      guard !samples.isEmpty else { continue }
      var generation = ModelGeneration()
      generation.name = "TopLevel"
      let path = folder + "/" + schema
      let set = try generation.run([(path, [UInt8](try Data(contentsOf: URL(filePath: path))))]).set
      let writer = ObjectiveCModelWriter(set, .init(prefix: "QT", file: "Library"))
      guard let program = try? GNUstepProgram(writer, type: "QTTopLevel") else {
        failures.append(schema)
        continue
      }
      for sample in samples {
        let text = try String(contentsOfFile: folder + "/" + sample, encoding: .utf8)
        let outcome = try program.run(text)
        if outcome != "same" { failures.append("\(sample): \(outcome)") }
      }
    }
    #expect(failures == [])
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs the test only where Objective-C programs can be built.
  fileprivate static var gnustep: Self {
    .enabled(
      if: FileManager.default.fileExists(atPath: "/usr/include/GNUstep/Foundation/Foundation.h")
        && Command.find("clang") != nil && GNUstepProgram.runtime != nil,
      "GNUstep is not installed: run scripts/bootstrap --peers")
  }
}

/// A program that reads JSON with a generated type and compares what the type gives back.
private struct GNUstepProgram {
  private let folder: TemporaryFolder

  /// The folder where gcc keeps the headers and the library of its Objective-C runtime.
  static let runtime: String? = {
    let root = "/usr/lib/gcc/x86_64-linux-gnu"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return versions.sorted().map { "\(root)/\($0)" }
      .last { FileManager.default.fileExists(atPath: $0 + "/include/objc/objc.h") }
  }()

  init(_ writer: ObjectiveCModelWriter, type: String) throws {
    folder = try TemporaryFolder()
    let (header, implementation) = Self.withVariables(writer.header, writer.implementation)
    let isClass = header.contains("@interface \(type) :")
    let read = isClass ? "[[\(type) alloc] initWithJSON:json error:&error]" : "\(type)FromJSON(json, &error)"
    let main = """
      #import "Library.h"
      #include <stdio.h>
      int main(int count, char **arguments) {
          @autoreleasepool {
              NSString *path = [NSString stringWithUTF8String:arguments[1]];
              NSError *error = nil;
              id json = [NSJSONSerialization JSONObjectWithData:[NSData dataWithContentsOfFile:path] options:4 error:NULL];
              id model = \(read);
              id back = model ? \(isClass ? "[model JSONObject]" : "\(type)ToJSON(model)") : nil;
              NSString *text = model ? [back isEqual:json] ? @"same" : @"differs" : [error localizedDescription];
              puts([text UTF8String]);
          }
          return 0;
      }
      """
    for (name, text) in [("Library.h", header), ("Library.m", implementation), ("main.m", main)] {
      try Data(text.utf8).write(to: folder.url.appending(path: name))
    }
    let runtime = try #require(Self.runtime)
    let outcome = try Command.run(
      "clang",
      [
        "-fobjc-runtime=gcc", "-fconstant-string-class=NSConstantString", "-fexceptions", "-fobjc-exceptions",
        "-DGNUSTEP", "-DGNUSTEP_BASE_LIBRARY=1", "-DGNU_RUNTIME=1", "-Wall", "-Wextra", "-Wno-unused-parameter",
        "-Werror", "-isystem", "/usr/include/GNUstep", "-isystem", runtime + "/include", "Library.m", "main.m",
        "-L\(runtime)", "-lobjc", "-lgnustep-base", "-o", "program",
      ], directory: folder.url)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// "same", "differs", or why the JSON was refused.
  func run(_ json: String) throws -> String {
    let path = folder.path + "/sample.json"
    try Data(json.utf8).write(to: URL(filePath: path))
    let outcome = try Command.run(folder.path + "/program", [path])
    return outcome.output.trimmingCharacters(in: .newlines)
  }

  /// GCC's runtime cannot make the variables of properties by itself, as Apple's does: they are declared here.
  private static func withVariables(_ header: String, _ implementation: String) -> (String, String) {
    var lines: [String] = []
    var syntheses: [String: [String]] = [:]
    var current = (name: "", line: 0)
    for line in header.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      lines.append(line)
      if line.hasPrefix("@interface ") {
        current = (String(line.dropFirst(11).prefix { $0 != " " }), lines.count - 1)
        lines[current.line] += " {\n}"
      } else if line.hasPrefix("@property"), !line.contains("readonly)"), let close = line.firstIndex(of: ")") {
        let declaration = line[line.index(after: close)...].dropLast()
        let name = declaration.reversed().prefix { $0 != " " && $0 != "*" }.reversed()
        let type = declaration.dropLast(name.count)
        lines[current.line] = lines[current.line].dropLast() + "\(type)_\(String(name));\n}"
        syntheses[current.name, default: []].append("@synthesize \(String(name)) = _\(String(name));")
      }
    }
    var text = implementation
    for (name, all) in syntheses {
      text = text.replacing(
        "@implementation \(name)\n", with: "@implementation \(name)\n" + all.joined(separator: "\n") + "\n")
    }
    return (lines.joined(separator: "\n"), text)
  }
}
