"""Game trees and the formats that records are kept in."""
