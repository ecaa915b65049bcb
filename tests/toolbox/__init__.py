"""What do tests build on? Stand-ins for the world outside, most of all a scripted model behind a real socket."""
