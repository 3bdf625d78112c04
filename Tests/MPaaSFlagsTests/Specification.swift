import Foundation
import MPaaSFlags
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// A file of states with questions to them and the answers.
struct Specification {
  struct Question {
    let flag: String
    let context: FlagContext
    let expected: JSONValue
    let isVariant: Bool
    let description: String
  }

  let state: FlagState
  let questions: [Question]

  init(_ fixture: String) throws {
    let document = try #require(try Self.json(fixture).object)
    state = try FlagState(json: try #require(document["state"]).line)
    var questions: [Question] = []
    for (name, isVariant) in [("tests", false), ("variantTests", true)] {
      for test in document[name]?.array ?? [] {
        let members = try #require(test.object)
        questions.append(
          Question(
            flag: try #require(members["toggleName"]?.string),
            context: try FlagContext(json: members["context"] ?? [:]),
            expected: try #require(members["expectedResult"]), isVariant: isVariant,
            description: members["description"]?.string ?? ""))
      }
    }
    self.questions = questions
  }

  static func json(_ fixture: String) throws -> JSONValue {
    try Fixture.data(fixture).withUnsafeBytes { try JSONValue(reading: $0) }
  }

  /// The files of a folder of fixtures, by name.
  static func files(_ folder: String, where isWanted: (String) -> Bool) -> [String] {
    let path = (try? Fixture.path(folder)) ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter(isWanted).sorted().map { "\(folder)/\($0)" }
  }

  static let all =
    files("text/flags/unleash") { $0.first?.isNumber == true && $0.hasSuffix(".json") }
    + files("services/flags/differential") { $0.hasSuffix(".json") }
}

extension FlagVariant {
  /// The variant as the specification writes it.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(name), "enabled": .bool(isEnabled), "feature_enabled": .bool(isFlagEnabled),
    ]
    if let payload { members["payload"] = ["type": .string(payload.type), "value": .string(payload.value)] }
    return .object(members)
  }
}
