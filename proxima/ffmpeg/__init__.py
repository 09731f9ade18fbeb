"""Everything that speaks to ffmpeg and reads media."""
