import MPaaSJSON
import MPaaSSupport
import MPaaSXML

/// The comparison of elements of XML; names count with their name spaces, not with their prefixes.
struct XMLMatching {
  let rules: PactRuleCategory
  let isStrict: Bool
  private let values = PactValues(takesTexts: true)

  init(_ rules: PactRuleCategory, isStrict: Bool) {
    self.rules = rules
    self.isStrict = isStrict
  }

  func compare(_ expected: XMLElement, _ actual: XMLElement) -> [PactMismatch] {
    let own = NamedElement(expected, XMLNames()), came = NamedElement(actual, XMLNames())
    let place = PactPlace.root.appending(.element(own.name.all))
    guard own.name == came.name else { return [name(own, came, place)] }
    return compare(own, came, at: place) + count(own, came.children.count, at: place)
  }

  private func name(_ expected: NamedElement, _ actual: NamedElement, _ place: PactPlace) -> PactMismatch {
    PactMismatch(
      .body, place.description, .elementName, ["expected": expected.name.shown, "actual": actual.name.shown])
  }

  private func compare(_ expected: NamedElement, _ actual: NamedElement, at place: PactPlace) -> [PactMismatch] {
    attributes(expected, actual, at: place) + children(expected, actual, at: place) + text(expected, actual, at: place)
  }

  // MARK: Parts of an element

  private func attributes(
    _ expected: NamedElement, _ actual: NamedElement, at place: PactPlace
  ) -> [PactMismatch] {
    var all: [PactMismatch] = []
    for (name, value) in expected.attributes {
      let names = name.all.map { "@\($0)" }
      let inner = place.appending(.element(names))
      guard let came = actual.attributes.first(where: { $0.name == name })?.value else {
        all.append(mismatch(inner, .attributeMissing, ["name": name.shown, "expected": value]))
        continue
      }
      all += compare(value, came, at: inner)
    }
    for (name, value) in actual.attributes
    where isStrict && !expected.attributes.contains(where: { $0.name == name }) {
      let inner = place.appending(.element(["@\(name.shown)"]))
      all.append(mismatch(inner, .attributeUnexpected, ["name": name.shown, "actual": value]))
    }
    return all
  }

  private func text(_ expected: NamedElement, _ actual: NamedElement, at place: PactPlace) -> [PactMismatch] {
    compare(expected.text, actual.text, at: place.appending(.field("#text")))
  }

  private func compare(_ expected: String, _ actual: String, at place: PactPlace) -> [PactMismatch] {
    let fault: PactFault?
    if let found = rules.rules(at: place) {
      fault = values.fault(.text(expected), .text(actual), found.list, isCascaded: found.isCascaded)
    } else {
      fault = values.equality(.text(expected), .text(actual))
    }
    return fault.map { [PactMismatch(.body, place.description, $0)] } ?? []
  }

  private func mismatch(_ place: PactPlace, _ reason: PactReason, _ values: [String: String]) -> PactMismatch {
    PactMismatch(.body, place.description, reason, values)
  }

  // MARK: Children

  /// Children are compared with those of their name, in their order.
  private func children(_ expected: NamedElement, _ actual: NamedElement, at place: PactPlace) -> [PactMismatch] {
    let own = Self.groups(expected.children), came = Self.groups(actual.children)
    var all: [PactMismatch] = []
    for group in own {
      let inner = place.appending(.element(group.name.all))
      let found = came.first { $0.name == group.name }?.elements ?? []
      all += compare(group.elements, found, group.name, at: inner)
    }
    let isOpen = !isStrict && !hasTypeRule(place)
    for group in came where !isOpen && !own.contains(where: { $0.name == group.name }) {
      all.append(mismatch(place, .childUnexpected, ["name": group.name.shown]))
    }
    return all
  }

  private func compare(
    _ expected: [NamedElement], _ actual: [NamedElement], _ name: XMLNames.Name, at place: PactPlace
  ) -> [PactMismatch] {
    // A rule for type lets there be any number of them, like the first expected one.
    let repeats = hasTypeRule(place)
    var all: [PactMismatch] = repeats ? count(expected[0], actual.count, at: place, isGroup: true) : []
    for (index, element) in actual.enumerated() where all.count < PactMismatch.most {
      let inner = place.appending(.order(index))
      if index < expected.count {
        all += compare(expected[index], element, at: inner)
      } else if repeats {
        all += compare(expected[0], element, at: inner)
      } else if isStrict {
        all.append(mismatch(inner, .childUnexpected, ["name": name.shown]))
      }
    }
    if !repeats || actual.isEmpty, actual.count < expected.count {
      all.append(mismatch(place, .childMissing, ["name": name.shown]))
    }
    return all
  }

  private func hasTypeRule(_ place: PactPlace) -> Bool {
    rules.rules(at: place)?.list.rules.contains { if case .type = $0 { true } else { false } } ?? false
  }

  /// The least and greatest number that a rule at just this place asks for.
  private func count(
    _ element: NamedElement, _ count: Int, at place: PactPlace, isGroup: Bool = false
  ) -> [PactMismatch] {
    guard rules.hasOwnRules(at: place), let found = rules.rules(at: place), !found.isCascaded else { return [] }
    var all: [PactMismatch] = []
    for case .type(let least, let most) in found.list.rules {
      let values = ["actual": "<\(element.name.shown)/>", "size": "\(count)"]
      if let least, count < least { all.append(mismatch(place, .tooFew, values.with("limit", "\(least)"))) }
      if let most, count > most { all.append(mismatch(place, .tooMany, values.with("limit", "\(most)"))) }
    }
    return all
  }

  private static func groups(_ elements: [NamedElement]) -> [(name: XMLNames.Name, elements: [NamedElement])] {
    var groups: [(name: XMLNames.Name, elements: [NamedElement])] = []
    var indexes: [XMLNames.Name: Int] = [:]
    for element in elements {
      if let index = indexes[element.name] {
        groups[index].elements.append(element)
      } else {
        indexes[element.name] = groups.count
        groups.append((element.name, [element]))
      }
    }
    return groups
  }
}
