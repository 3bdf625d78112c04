// Commands import `CommandKit` for all that they have in common; what the second program has, too, is a module of its own,
// which holds no parser.
@_exported public import ServingKit
