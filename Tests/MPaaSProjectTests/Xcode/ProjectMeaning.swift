@testable import MPaaSProject

/// The content of a project, whatever its ids are: each object by what it holds and what it refers to.
struct ProjectMeaning: Equatable {
  /// The colours of all objects, sorted.
  private let colours: [Int]
  private let root: [PBXMember]
  private let texts: [Int: String]

  /// - Parameter rounds: How far apart two objects may be that still tell each other from others.
  init(_ file: PBXProjectFile, rounds: Int = 12) {
    var objects: [String: PBXObject] = [:]
    for id in file.ids { objects[id] = file.object(id) }
    var colour = objects.mapValues { _ in 0 }
    for _ in 0..<rounds {
      colour = objects.mapValues { Self.colour(.dictionary($0.members), colour) }
    }
    colours = colour.values.sorted()
    root =
      file.rootMembers.filter { $0.key != "rootObject" }.sorted { $0.key < $1.key }
      + [PBXMember("rootObject", .string("\(colour[file.project?.id ?? ""] ?? 0)"))]
    var texts: [Int: String] = [:]
    for (id, object) in objects { texts[colour[id] ?? 0] = "\(id) \(object.members.map { "\($0.key)=\($0.value)" })" }
    self.texts = texts
  }

  private static func colour(_ value: PBXValue, _ known: [String: Int]) -> Int {
    var hasher = Hasher()
    switch value {
    case .string(let text):
      if let colour = known[text] { hasher.combine(colour) } else { hasher.combine(text) }
    case .array(let values):
      hasher.combine(1)
      for value in values { hasher.combine(colour(value, known)) }
    case .dictionary(let members):
      hasher.combine(2)
      let own = members.map { (known[$0.key].map(String.init) ?? $0.key, colour($0.value, known)) }
      for (key, value) in own.sorted(by: { $0.0 < $1.0 }) {
        hasher.combine(key)
        hasher.combine(value)
      }
    }
    return hasher.finalize()
  }

  static func == (left: Self, right: Self) -> Bool { left.colours == right.colours && left.root == right.root }

  /// The objects of which the other project has none such.
  func only(besides other: Self) -> [String] {
    let known = Set(other.colours)
    return texts.filter { !known.contains($0.key) }.map(\.value).sorted()
  }
}
