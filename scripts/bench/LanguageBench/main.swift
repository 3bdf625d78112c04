import MPaaSLanguages
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `LanguageBench FILE… [--swiftui]`: how fast the texts of sources are found, on one core.
///
/// Prints a line of JSON for each file: its bytes, the texts found, and bytes in a second of processor time, the best of
/// five rounds.
func measure(_ path: String, _ options: ExtractionOptions) throws {
  guard let language = SourceLanguage(path: path) else { return print("{\"file\":\"\(path)\"}") }
  let bytes = try Bytes.mapping(path)
  let extraction = SourceExtraction(options)
  var best = Double.infinity
  var found = SourceTexts()
  for _ in 0..<5 {
    let start = clock()
    found = extraction.texts(in: bytes, file: path, language: language)
    best = min(best, Double(clock() - start) / Double(CLOCKS_PER_SEC))
  }
  let rate = Int(Double(bytes.count) / best)
  print(
    "{\"file\":\"\(path)\",\"bytes\":\(bytes.count),\"texts\":\(found.texts.count),"
      + "\"dynamic\":\(found.dynamic.count),\"bytes_per_second\":\(rate)}")
}

let arguments = CommandLine.arguments.dropFirst()
let options = ExtractionOptions(includesSwiftUI: arguments.contains("--swiftui"))
for path in arguments where !path.hasPrefix("--") { try measure(path, options) }
