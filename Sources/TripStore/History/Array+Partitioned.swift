extension Array {
    /// The number of leading elements that fulfil a condition that the later ones do not. O(log n).
    func partitioned(by isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
