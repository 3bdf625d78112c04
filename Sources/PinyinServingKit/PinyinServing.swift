import ServingKit

/// Searches and conversions that are answered over HTTP.
package struct PinyinServing: ServedWork {
  package static let name = "pinyin"

  /// `HOST:PORT`; port 0 lets the system choose.
  package let listen: String
  package let data: RecordWords
  /// The file of an index, in the place of texts.
  package let index: String?
  /// Names beside addresses and `localhost` that requests may call the server by.
  package let hosts: Set<String>
  /// Web origins whose pages may read the answers.
  package let origins: Set<String>
  /// Tells whether the file is read again where it has changed.
  package let isWatched: Bool
  /// The version that answers tell.
  package let version: String

  package init(
    listen: String, data: RecordWords, index: String?, hosts: Set<String>, origins: Set<String>, isWatched: Bool,
    version: String
  ) {
    self.listen = listen
    self.data = data
    self.index = index
    self.hosts = hosts
    self.origins = origins
    self.isWatched = isWatched
    self.version = version
  }
}
