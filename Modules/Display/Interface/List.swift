extension Display {
    /// Rows of which only those that are seen are asked for, so that a hundred thousand cost what ten do.
    ///
    /// The rows are asked for again after a change of an `@Observable` property that the content or one of them read.
    public struct List {
        /// How many rows there are.
        public let count: Int
        /// What a row at an index is told apart by: the focus stays on it when other rows come or go.
        public let id: @MainActor (Int) -> AnyHashable
        /// The row at an index below ``count``.
        public let row: @MainActor (Int) -> Row

        /// Creates a list.
        public init(
            count: Int, id: @escaping @MainActor (Int) -> AnyHashable, row: @escaping @MainActor (Int) -> Row
        ) {
            self.count = max(0, count)
            self.id = id
            self.row = row
        }

        /// Creates a list with a row for each item.
        @MainActor
        public init<Item: Identifiable>(_ items: [Item], row: @escaping @MainActor (Item) -> Row) {
            self.init(count: items.count, id: { AnyHashable(items[$0].id) }, row: { row(items[$0]) })
        }
    }
}
