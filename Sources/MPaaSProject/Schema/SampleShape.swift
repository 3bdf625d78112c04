import MPaaSJSON
import MPaaSSupport

/// The values that have been seen in one place of all samples.
struct SampleShape {
  private(set) var kinds: Set<ModelKind> = []
  private(set) var fitsInteger = true
  private(set) var isDateTime = true
  private(set) var isDate = true
  /// The number of values that were objects.
  private(set) var objects = 0
  /// The names of members in the order in which they were seen first.
  private(set) var order: [String] = []
  private(set) var members: [String: SampleShape] = [:]
  /// The number of objects with a member of the name.
  private(set) var counts: [String: Int] = [:]
  private var elements: [SampleShape] = []

  /// The shape of all elements of all arrays; nil where there was no array.
  var element: SampleShape? { elements.first }

  mutating func add(_ node: JSONNode) {
    kinds.insert(Self.kind(node))
    switch node.content {
    case .number(let number): fitsInteger = fitsInteger && number.integer(Int.self) != nil
    case .string(let text):
      isDateTime = isDateTime && SampleDate.isDateTime(text)
      isDate = isDate && SampleDate.isDate(text)
    case .array(let nodes):
      if elements.isEmpty { elements = [SampleShape()] }
      for node in nodes { elements[0].add(node) }
    case .object(let list):
      objects += 1
      for member in list {
        if members[member.name] == nil { order.append(member.name) }
        members[member.name, default: SampleShape()].add(member.value)
        counts[member.name, default: 0] += 1
      }
    default: break
    }
  }

  /// The kind of a value as it is written: `1.0` and `1e3` are no integers, whatever they are worth.
  private static func kind(_ node: JSONNode) -> ModelKind {
    node.number?.isWhole == false ? .number : node.kind
  }

  mutating func merge(_ other: SampleShape) {
    kinds.formUnion(other.kinds)
    fitsInteger = fitsInteger && other.fitsInteger
    isDateTime = isDateTime && other.isDateTime
    isDate = isDate && other.isDate
    objects += other.objects
    for name in other.order {
      if members[name] == nil { order.append(name) }
      if let member = other.members[name] { members[name, default: SampleShape()].merge(member) }
      counts[name, default: 0] += other.counts[name] ?? 0
    }
    if let element = other.element {
      if elements.isEmpty { elements = [SampleShape()] }
      elements[0].merge(element)
    }
  }

  /// The shape of the values of all members together.
  var value: SampleShape {
    var value = SampleShape()
    for name in order { if let member = members[name] { value.merge(member) } }
    return value
  }
}
