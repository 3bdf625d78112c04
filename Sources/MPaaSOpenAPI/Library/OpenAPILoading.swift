import MPaaSJSON
import MPaaSSupport

/// Reads the files that references lead to, within the limits.
struct OpenAPILoading {
  let folder: OpenAPIPath
  let files: OpenAPIFiles
  private var read: Set<String> = []
  private var bytes = 0

  enum Outcome {
    case read(JSONSource, OpenAPIPath)
    case known(OpenAPIPath)
    case failed(OpenAPIError)
  }

  init(folder: OpenAPIPath, files: OpenAPIFiles) {
    self.folder = folder
    self.files = files
  }

  /// The path that a reference without its fragment means in a document.
  static func path(_ resource: String, from document: OpenAPILibrary.Document) -> OpenAPIPath {
    var text = PercentEncoding.decodeLeniently(resource.utf8)
    if text.hasPrefix("file://") { text = String(text.dropFirst(7)) }
    if text.hasPrefix("/") { return OpenAPIPath(text) }
    let base = document.path
    let folder = (base.isAbsolute ? "/" : "") + base.parts.dropLast().joined(separator: "/")
    return OpenAPIPath(folder.isEmpty ? text : folder + "/" + text)
  }

  mutating func load(_ resource: String, from document: OpenAPILibrary.Document, at place: Place) -> Outcome {
    let values = ["ref": resource]
    if resource.hasPrefix("http://") || resource.hasPrefix("https://") || resource.hasPrefix("//") {
      return .failed(OpenAPIError(.referenceRemote, values, at: place))
    }
    let path = Self.path(resource, from: document)
    guard files.allowsOutside || path.isInside(folder) else {
      return .failed(OpenAPIError(.referenceOutside, values, at: place))
    }
    guard read.insert(path.text).inserted else { return .known(path) }
    guard read.count < OpenAPIFiles.mostFiles else {
      return .failed(OpenAPIError(.tooLarge, ["limit": "\(OpenAPIFiles.mostFiles)"], at: place))
    }
    guard files.client.kind(path.text) != nil, isReal(path) else {
      return .failed(OpenAPIError(.referenceMissing, values, at: place))
    }
    do {
      let content = try files.client.read(path.text)
      bytes += content.count
      guard bytes <= OpenAPIFiles.mostBytes else {
        return .failed(OpenAPIError(.tooLarge, ["limit": "\(OpenAPIFiles.mostBytes)"], at: place))
      }
      return .read(try OpenAPISource.read(content, file: path.text), path)
    } catch let error as any DiagnosticConvertible {
      return .failed(OpenAPIError(error))
    } catch {
      return .failed(OpenAPIError(.referenceMissing, values, at: place))
    }
  }

  /// True unless a link leads out of the folder, which the letters of a path do not show.
  private func isReal(_ path: OpenAPIPath) -> Bool {
    guard !files.allowsOutside else { return true }
    var text = folder.text
    for part in path.parts.dropFirst(folder.parts.count) {
      text = text.isEmpty || text == "." ? String(part) : text + "/" + part
      if FileStatus(ofLink: text)?.kind == .other { return false }
    }
    return true
  }
}
