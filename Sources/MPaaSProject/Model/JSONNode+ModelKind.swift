import MPaaSSupport

extension JSONNode {
  package var kind: ModelKind {
    switch content {
    case .null: .null
    case .bool: .boolean
    case .number(let value, _):
      if case .number(let double) = value, double.rounded() != double { .number } else { .integer }
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}
