/// A function in a value of its own, for a lock or a collection.
///
/// Generic code holds functions in another form than others call. A function that is read by itself from a
/// ``SmallLock`` is wrapped once more each time. After some ten thousand times, a call of it overflows the stack.
struct Callback<Input, Output>: Sendable {
  private let body: @Sendable (Input) -> Output

  init(_ body: @escaping @Sendable (Input) -> Output) { self.body = body }

  func callAsFunction(_ input: Input) -> Output { body(input) }
}

extension Callback where Input == Void {
  func callAsFunction() -> Output { body(()) }
}
