// Puts all mutants of Swift files into these files, each behind a switch: mutants FIRST-NUMBER EXCLUDED FILE…
//
// A mutant is a small mistake, as a tired author would make it. `mutant(n)` is true while mutant n is switched on.
// EXCLUDED is a file with lines “path:line”, whose mutants do not compile. Prints a line per mutant, with tabs: number,
// path, line, kind and text. `Scripts/mutate` uses it.

import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the places of one file, and inserts text before and behind them. It never changes the number of lines.
final class Mutation: SyntaxVisitor {
  struct Mutant {
    var line: Int
    var kind: String
    var text: String
  }

  private struct Insertion {
    var offset: Int
    var text: String
  }

  private let source: [UInt8]
  private let converter: SourceLocationConverter
  private let excluded: Set<Int>
  private let firstNumber: Int
  private(set) var mutants: [Mutant] = []
  private var before: [Insertion] = []
  private var behind: [Insertion] = []
  /// How many bodies of functions and closures surround this place. Only they are mutated.
  private var bodies = 0

  init(of tree: SourceFileSyntax, named name: String, source: [UInt8], excluded: Set<Int>, firstNumber: Int) {
    self.source = source
    self.excluded = excluded
    self.firstNumber = firstNumber
    converter = SourceLocationConverter(fileName: name, tree: tree)
    super.init(viewMode: .sourceAccurate)
    walk(tree)
  }

  var mutated: String {
    // At one place, what was found first is outside.
    let starts = before.enumerated().map { (offset: $0.element.offset, order: $0.offset, text: $0.element.text) }
    let ends = behind.enumerated().map { (offset: $0.element.offset, order: -$0.offset - 1, text: $0.element.text) }
    var result: [UInt8] = []
    var position = 0
    for insertion in (starts + ends).sorted(by: { ($0.offset, $0.order) < ($1.offset, $1.order) }) {
      result += source[position..<insertion.offset]
      result += Array(insertion.text.utf8)
      position = insertion.offset
    }
    return String(decoding: result + source[position...], as: UTF8.self)
  }

  // MARK: Places

  override func visit(_: CodeBlockSyntax) -> SyntaxVisitorContinueKind { enter() }
  override func visitPost(_: CodeBlockSyntax) { bodies -= 1 }
  override func visit(_: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { enter() }
  override func visitPost(_: AccessorBlockSyntax) { bodies -= 1 }
  override func visit(_: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enter() }
  override func visitPost(_: ClosureExprSyntax) { bodies -= 1 }

  // What another platform compiles, and what is no code.
  override func visit(_: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: AttributeListSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: PatternExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: ArrayExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  /// Assertions are not mutated, as without them nothing is wrong. Nor are durations: a wait of 19 ms for one of 20.
  override func visit(_ call: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let name = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    let isDuration = ["seconds", "milliseconds", "microseconds", "nanoseconds"].contains(name)
    return isDuration || Self.isAssertion(call) ? .skipChildren : .visitChildren
  }

  override func visit(_ condition: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    if case .expression(let expression) = condition.condition { negate(expression) }
    return .visitChildren
  }

  override func visit(_ choice: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    negate(choice.condition)
    return .visitChildren
  }

  override func visit(_ clause: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    negate(clause.condition)
    return .visitChildren
  }

  override func visit(_ expression: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    guard let name = expression.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else { return .visitChildren }
    let otherBounds = ["<": "<=", "<=": "<", ">": ">=", ">=": ">"]
    if let other = otherBounds[name] {
      let (left, right) = (text(of: expression.leftOperand), text(of: expression.rightOperand))
      insert("boundary", around: expression, { "(mutant(\($0)) ? \(left) \(other) \(right) : " }, ")")
    } else if name == "==" || name == "!=" {
      insert("equality", around: expression, { _ in "((" }) { ") != mutant(\($0)))" }
    } else if name == "&&" {
      drop(expression.leftOperand, { "(mutant(\($0)) || " })
      drop(expression.rightOperand, { "(mutant(\($0)) || " })
    } else if name == "||" {
      drop(expression.leftOperand, { "(!mutant(\($0)) && " })
      drop(expression.rightOperand, { "(!mutant(\($0)) && " })
    }
    return .visitChildren
  }

  override func visit(_ literal: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    guard let value = Int(literal.literal.text), value <= 64 else { return .skipChildren }
    insert("constant", around: literal, { "(mutant(\($0)) ? \(value == 0 ? 1 : value - 1) : " }, ")")
    return .skipChildren
  }

  override func visit(_ literal: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    guard literal.parent?.is(ConditionElementSyntax.self) != true else { return .skipChildren }
    insert("constant", around: literal, { _ in "(" }) { " != mutant(\($0)))" }
    return .skipChildren
  }

  /// A statement that is only an effect: a call without a result, or the assignment of a property.
  override func visit(_ item: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    guard let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count > 1 || !isValue(list) else {
      return .visitChildren
    }
    guard case .expr(var expression) = item.item else { return .visitChildren }
    while let inner = expression.as(TryExprSyntax.self)?.expression ?? expression.as(AwaitExprSyntax.self)?.expression {
      expression = inner
    }
    if let call = expression.as(FunctionCallExprSyntax.self), !Self.isAssertion(call) {
      insert("call", around: item.item, { "if !mutant(\($0)) { " }, " }")
    } else if let infix = expression.as(InfixOperatorExprSyntax.self) {
      let isCompound = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text.hasSuffix("=") == true
      let isProperty = infix.operator.is(AssignmentExprSyntax.self) && infix.leftOperand.is(MemberAccessExprSyntax.self)
      // An initializer without one of its assignments does not compile.
      let isFirst = item.parent?.parent?.parent?.is(InitializerDeclSyntax.self) == true
      if isCompound || isProperty && !isFirst {
        insert("assignment", around: item.item, { "if !mutant(\($0)) { " }, " }")
      }
    }
    return .visitChildren
  }

  // MARK: Insertions

  private func enter() -> SyntaxVisitorContinueKind {
    bodies += 1
    return .visitChildren
  }

  private func negate(_ condition: ExprSyntax) {
    let name = condition.as(InfixOperatorExprSyntax.self)?.operator.trimmedDescription
    // A comparison for equality is negated in its own visit.
    guard !condition.is(BooleanLiteralExprSyntax.self), name != "==", name != "!=" else { return }
    insert("condition", around: condition, { _ in "((" }) { ") != mutant(\($0)))" }
  }

  private func drop(_ operand: ExprSyntax, _ start: (Int) -> String) {
    insert("operand", around: operand, start, ")")
  }

  private func insert(
    _ kind: String, around node: some SyntaxProtocol, _ start: (Int) -> String, _ end: String
  ) {
    insert(kind, around: node, start) { _ in end }
  }

  private func insert(
    _ kind: String, around node: some SyntaxProtocol, _ start: (Int) -> String, _ end: (Int) -> String
  ) {
    let position = node.positionAfterSkippingLeadingTrivia
    let line = converter.location(for: position).line
    let text = text(of: node)
    // A comment that stands in the text would end the line that the mutant makes of it.
    guard bodies > 0, !excluded.contains(line), !text.contains("//") else { return }
    let number = firstNumber + mutants.count
    mutants.append(Mutant(line: line, kind: kind, text: text))
    before.append(Insertion(offset: position.utf8Offset, text: start(number)))
    behind.append(Insertion(offset: node.endPositionBeforeTrailingTrivia.utf8Offset, text: end(number)))
  }

  private func text(of node: some SyntaxProtocol) -> String {
    node.trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether the only statement of a body may be its value.
  private func isValue(_ list: CodeBlockItemListSyntax) -> Bool {
    guard let block = list.parent else { return true }
    if block.is(CodeBlockSyntax.self) {
      guard let function = block.parent?.as(FunctionDeclSyntax.self) else {
        return block.parent?.is(IfExprSyntax.self) == true || block.parent?.is(AccessorDeclSyntax.self) == true
      }
      return function.signature.returnClause != nil
    }
    return true
  }

  private static func isAssertion(_ call: FunctionCallExprSyntax) -> Bool {
    let name = call.calledExpression.trimmedDescription
    return ["assert", "assertionFailure", "precondition", "preconditionFailure", "fatalError"].contains(name)
      || name.hasSuffix(".init")
  }
}

var excluded: [String: Set<Int>] = [:]
for line in try String(contentsOfFile: CommandLine.arguments[2], encoding: .utf8).split(separator: "\n") {
  let parts = line.split(separator: ":")
  excluded[String(parts[0]), default: []].insert(Int(parts[1]) ?? 0)
}
var number = Int(CommandLine.arguments[1]) ?? 1
for path in CommandLine.arguments.dropFirst(3) {
  let source = try Data(contentsOf: URL(fileURLWithPath: path))
  let parsed = Parser.parse(source: String(decoding: source, as: UTF8.self))
  guard let tree = OperatorTable.standardOperators.foldAll(parsed, errorHandler: { _ in }).as(SourceFileSyntax.self)
  else { continue }
  let mutation = Mutation(
    of: tree, named: path, source: Array(source), excluded: excluded[path] ?? [], firstNumber: number)
  for mutant in mutation.mutants {
    print(number, path, mutant.line, mutant.kind, mutant.text.prefix(100), separator: "\t")
    number += 1
  }
  try mutation.mutated.write(toFile: path, atomically: true, encoding: .utf8)
}
