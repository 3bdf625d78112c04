import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport

/// The parameters of an edit as arguments of its command.
///
/// The parser finds arguments by reflection and hands their values over by decoding; here both follow from the
/// description of the edit, as elsewhere from property wrappers.
struct ProjectEditArguments<Edit: ProjectEdit>: ParsableArguments, CustomReflectable {
  /// The words that are given for each parameter.
  private var given: [String: [String]] = [:]

  init() {}

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: ParameterKey.self)
    for (key, argument) in Self.arguments {
      let words = try argument.wrapper.words(of: key, in: values)
      given[key.stringValue] = argument.isNegated ? words.map { _ in "NO" } : words
    }
  }

  var customMirror: Mirror {
    Mirror(self, children: Self.arguments.map { (label: "_" + $0.key.stringValue, value: $0.argument.wrapper) })
  }

  private static var arguments: [(key: ParameterKey, argument: EditArgument)] {
    Edit.parameters.compactMap { parameter in
      parameter.argument.map { (ParameterKey(stringValue: parameter.key), $0) }
    }
  }

  func words(in place: XcodeProjectPlace) -> EditWords {
    EditWords(given, path: place.path) { (file) throws(ProjectEditError) in
      do throws(FileError) {
        return try Bytes.reading(file, limit: 16 << 20).array
      } catch {
        throw ProjectEditError(error)
      }
    }
  }
}

/// The name of a parameter among the values that the parser has found.
struct ParameterKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
