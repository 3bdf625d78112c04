import Foundation
import MPaaSLanguages
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// The texts that a source in a test asks for.
func extracted(_ text: String, _ language: SourceLanguage = .swift, _ options: ExtractionOptions = .init())
  -> SourceTexts
{
  SourceExtraction(options).texts(in: text, file: "a", language: language)
}

extension SourceTexts {
  var keys: [String] { texts.map(\.key) }
}
