import Foundation
import SnapshotStore

/// Clears the terminal, and prints one line for each book.
func show(_ list: LiveList<Book, NoSections>) {
  var screen = "\u{1B}[2J\u{1B}[H"
  for book in list {
    screen += "\(book.isRead ? "✓" : " ") \(book.id)  \(book.title)\n"
  }
  screen += list.isEmpty ? "No books. Try: add On Growth and Form\n> " : "> "
  FileHandle.standardOutput.write(Data(screen.utf8))
}

/// Shows the list, and again after every change, until the store is closed.
func follow(_ store: Store<ReadingList>) async {
  let books = store.observe(
    \.books, sortedBy: { CompoundKey($0.isRead, $0.title) })
  for await update in books {
    show(update.list)
  }
}
