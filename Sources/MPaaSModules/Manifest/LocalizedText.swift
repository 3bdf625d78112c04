/// A text in English, in Simplified Chinese, or both.
package struct LocalizedText: Sendable, Hashable, Codable {
  package var english: String?
  package var simplifiedChinese: String?

  package init(english: String? = nil, simplifiedChinese: String? = nil) {
    self.english = english
    self.simplifiedChinese = simplifiedChinese
  }

  package var isEmpty: Bool { english == nil && simplifiedChinese == nil }

  private enum CodingKeys: String, CodingKey {
    case english = "en"
    case simplifiedChinese = "zh-Hans"
  }
}
