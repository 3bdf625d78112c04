/// The rule by which the names in an object are data rather than members that somebody chose.
enum SampleKeys {
  /// So many values that are objects or arrays of one shape are a map, whatever their names look like.
  private static let manyStructures = 12
  /// So many values of one simple kind are a map, whatever their names look like.
  private static let manyScalars = 50
  /// The depth to which values are compared.
  private static let levels = 4

  /// Tells whether an object is a map.
  ///
  /// - Parameter depth: How many levels of values are still compared.
  static func areData(_ shape: SampleShape, depth: Int = levels) -> Bool {
    let names = shape.order
    guard names.count >= 2 else { return false }
    if names.allSatisfy({ isNumber($0) || isIdentifier($0) || SampleDate.isDate($0) || SampleDate.isDateTime($0) }) {
      return true
    }
    let values = names.compactMap { shape.members[$0] }
    if areLocales(names) { return areOneShape(values, depth) }
    // The same names again and again are members, whatever they look like.
    let isRecord = shape.objects > 1 && names.allSatisfy { shape.counts[$0] == shape.objects }
    guard !isRecord else { return false }
    let texts = names.count(where: isText)
    // Members have no such names: what their values have in common is then for the values to say.
    if names.count >= manyStructures, 10 * texts >= 9 * names.count { return areOneShape(values, 0) }
    let hasTexts = names.count >= 3 && 3 * texts >= names.count
    let isStructured = values.allSatisfy { $0.kinds.isSubset(of: [.object, .array, .null]) }
    return (hasTexts || names.count >= (isStructured ? manyStructures : manyScalars)) && areOneShape(values, depth)
  }

  // MARK: Names

  /// Digits, or the parts of a version.
  private static func isNumber(_ name: String) -> Bool {
    name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { 48...57 ~= $0 }
    }
  }

  /// A UUID, a digest and the like: at least 16 hexadecimal digits and hyphens.
  private static func isIdentifier(_ name: String) -> Bool {
    let bytes = name.utf8
    return bytes.count >= 16 && bytes.contains { 48...57 ~= $0 }
      && bytes.allSatisfy { $0 == 45 || 48...57 ~= $0 || 97...102 ~= $0 | 0x20 }
  }

  /// A text, an address or a path, which members are not called by.
  private static func isText(_ name: String) -> Bool {
    name.isEmpty || name.utf8.count > 64 || name.contains { $0.isWhitespace || "/%!?,;()[]{}<>\"“”，。！？：".contains($0) }
      || name.dropFirst().contains("@")
  }

  /// Tells whether all are locale codes: one has a script or a region, or two are of languages that are seldom words.
  private static func areLocales(_ names: [String]) -> Bool {
    guard names.allSatisfy(isLocale) else { return false }
    return names.contains { $0.utf8.count > 3 } || names.count(where: frequentLanguages.contains) >= 2
  }

  /// `zh`, `zh-Hans`, `pt_BR`, `es-419`, `zh-Hant-TW`.
  private static func isLocale(_ name: String) -> Bool {
    let parts = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard let language = parts.first, languages.contains(language), parts.count <= 3 else { return false }
    return parts.dropFirst().allSatisfy { part in
      let bytes = part.utf8
      let isUpper = bytes.allSatisfy { 65...90 ~= $0 }
      let isScript =
        bytes.count == 4 && bytes.allSatisfy { 97...122 ~= $0 | 0x20 } && part.first?.isUppercase == true
      return isScript || (bytes.count == 2 && isUpper) || (bytes.count == 3 && bytes.allSatisfy { 48...57 ~= $0 })
    }
  }

  /// Languages of which two together are hardly anything but languages.
  private static let frequentLanguages: Set = ["ar", "de", "en", "es", "fr", "ja", "ko", "nl", "pt", "ru", "zh"]

  /// ISO 639-1, and some codes of three letters that systems have.
  private static let languages = Set(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo \
    es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka \
    kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng \
    nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su \
    sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ckb fil haw yue
    """.split(separator: " "))

  // MARK: Values

  /// Tells whether values are of one kind, and objects have names in common.
  private static func areOneShape(_ shapes: [SampleShape], _ depth: Int) -> Bool {
    var kinds: Set<ModelKind> = []
    for shape in shapes {
      kinds.formUnion(shape.kinds.subtracting([.null]).map { $0 == .integer ? .number : $0 })
    }
    guard kinds.count <= 1, depth > 0 else { return kinds.count <= 1 }
    if kinds == [.array] { return areOneShape(shapes.compactMap(\.element), depth - 1) }
    return kinds != [.object] || areAlike(shapes.filter { !$0.order.isEmpty }, depth - 1)
  }

  /// Tells whether nine objects of ten have a name that at least half of them have, and the same names the same kinds.
  private static func areAlike(_ objects: [SampleShape], _ depth: Int) -> Bool {
    if objects.allSatisfy({ areData($0, depth: depth) }) {
      return areOneShape(objects.flatMap { $0.members.values }, depth)
    }
    var found: [String: [SampleShape]] = [:]
    for object in objects { for (name, member) in object.members { found[name, default: []].append(member) } }
    let common = Set(found.filter { 2 * $0.value.count >= objects.count }.keys)
    let related = objects.count { object in object.order.contains(where: common.contains) }
    return 10 * related >= 9 * objects.count && found.values.allSatisfy { areOneShape($0, depth) }
  }
}
