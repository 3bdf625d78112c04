import MPaaSJSON
import MPaaSSupport

extension JSONNode {
  package var kind: ModelKind {
    switch content {
    case .null: .null
    case .bool: .boolean
    case .number(let number):
      if case .number(let double) = number.value, double.rounded() != double { .number } else { .integer }
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}
