import TripStore

/// A place that trips go to.
struct City: Sendable {
    let name: String
    let country: String
    let airport: String
    let zone: String
    let currency: Currency
    let latitude: Double
    let longitude: Double

    private init(
        _ name: String, _ country: String, _ airport: String, _ zone: String, _ currency: String, _ latitude: Double,
        _ longitude: Double
    ) {
        self.name = name
        self.country = country
        self.airport = airport
        self.zone = zone
        self.currency = Currency(stringLiteral: currency)
        self.latitude = latitude
        self.longitude = longitude
    }

    static let all: [City] = [
        City("Lisbon", "Portugal", "LIS", "Europe/Lisbon", "EUR", 38.7223, -9.1393),
        City("Porto", "Portugal", "OPO", "Europe/Lisbon", "EUR", 41.1579, -8.6291),
        City("Madrid", "Spain", "MAD", "Europe/Madrid", "EUR", 40.4168, -3.7038),
        City("Barcelona", "Spain", "BCN", "Europe/Madrid", "EUR", 41.3874, 2.1686),
        City("Paris", "France", "CDG", "Europe/Paris", "EUR", 48.8566, 2.3522),
        City("London", "United Kingdom", "LHR", "Europe/London", "GBP", 51.5072, -0.1276),
        City("Dublin", "Ireland", "DUB", "Europe/Dublin", "EUR", 53.3498, -6.2603),
        City("Amsterdam", "Netherlands", "AMS", "Europe/Amsterdam", "EUR", 52.3676, 4.9041),
        City("Berlin", "Germany", "BER", "Europe/Berlin", "EUR", 52.52, 13.405),
        City("Munich", "Germany", "MUC", "Europe/Berlin", "EUR", 48.1351, 11.582),
        City("Zürich", "Switzerland", "ZRH", "Europe/Zurich", "CHF", 47.3769, 8.5417),
        City("Vienna", "Austria", "VIE", "Europe/Vienna", "EUR", 48.2082, 16.3738),
        City("Prague", "Czechia", "PRG", "Europe/Prague", "CZK", 50.0755, 14.4378),
        City("Kraków", "Poland", "KRK", "Europe/Warsaw", "PLN", 50.0647, 19.945),
        City("Rome", "Italy", "FCO", "Europe/Rome", "EUR", 41.9028, 12.4964),
        City("Venice", "Italy", "VCE", "Europe/Rome", "EUR", 45.4408, 12.3155),
        City("Athens", "Greece", "ATH", "Europe/Athens", "EUR", 37.9838, 23.7275),
        City("Istanbul", "Türkiye", "IST", "Europe/Istanbul", "TRY", 41.0082, 28.9784),
        City("Copenhagen", "Denmark", "CPH", "Europe/Copenhagen", "DKK", 55.6761, 12.5683),
        City("Stockholm", "Sweden", "ARN", "Europe/Stockholm", "SEK", 59.3293, 18.0686),
        City("Oslo", "Norway", "OSL", "Europe/Oslo", "NOK", 59.9139, 10.7522),
        City("Reykjavík", "Iceland", "KEF", "Atlantic/Reykjavik", "ISK", 64.1466, -21.9426),
        City("New York", "United States", "JFK", "America/New_York", "USD", 40.7128, -74.006),
        City("Chicago", "United States", "ORD", "America/Chicago", "USD", 41.8781, -87.6298),
        City("Denver", "United States", "DEN", "America/Denver", "USD", 39.7392, -104.9903),
        City("San Francisco", "United States", "SFO", "America/Los_Angeles", "USD", 37.7749, -122.4194),
        City("Vancouver", "Canada", "YVR", "America/Vancouver", "CAD", 49.2827, -123.1207),
        City("Mexico City", "Mexico", "MEX", "America/Mexico_City", "MXN", 19.4326, -99.1332),
        City("São Paulo", "Brazil", "GRU", "America/Sao_Paulo", "BRL", -23.5558, -46.6396),
        City("Buenos Aires", "Argentina", "EZE", "America/Argentina/Buenos_Aires", "ARS", -34.6037, -58.3816),
        City("Cape Town", "South Africa", "CPT", "Africa/Johannesburg", "ZAR", -33.9249, 18.4241),
        City("Marrakesh", "Morocco", "RAK", "Africa/Casablanca", "MAD", 31.6295, -7.9811),
        City("Dubai", "United Arab Emirates", "DXB", "Asia/Dubai", "AED", 25.2048, 55.2708),
        City("Delhi", "India", "DEL", "Asia/Kolkata", "INR", 28.7041, 77.1025),
        City("Kathmandu", "Nepal", "KTM", "Asia/Kathmandu", "NPR", 27.7172, 85.324),
        City("Singapore", "Singapore", "SIN", "Asia/Singapore", "SGD", 1.3521, 103.8198),
        City("Tokyo", "Japan", "HND", "Asia/Tokyo", "JPY", 35.6762, 139.6503),
        City("Kyōto", "Japan", "KIX", "Asia/Tokyo", "JPY", 35.0116, 135.7681),
        City("Sydney", "Australia", "SYD", "Australia/Sydney", "AUD", -33.8688, 151.2093),
        City("Auckland", "New Zealand", "AKL", "Pacific/Auckland", "NZD", -36.8509, 174.7645),
    ]
}
