import SnapshotStore
@main enum M { static func main() { print("x") } }
